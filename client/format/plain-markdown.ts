import { scrub } from '../../domain/secrets/scrub.ts';

/**
 * Markdown that shows nothing from elsewhere and runs nothing where it is read: HTML is shown as text, pictures are links, links lead to pages
 * and addresses of mail only, secrets are removed. Entities and not backslashes, since the text may have a backslash before them, which would undo ours. An
 * address is looked at up to the next bracket, which no scheme has: otherwise many brackets would each be followed to the end of the text.
 */
export function plainMarkdown(text: string): string {
  return scrub(text)
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replaceAll('![', '&#33;[')
    .replace(/\](?=[(:]\s*(?:&lt;|<)?(?!(?:https?|mailto):)[^\s)\]]*[:&])/gi, '&#93;');
}
