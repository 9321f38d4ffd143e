/** How such a tag begins, also with spaces and invisible characters in it. */
const tag = new RegExp(String.raw`<(?=[\s\p{Cf}]*/?[\s\p{Cf}]*${[...'material'].join(String.raw`\p{Cf}*`)})`, 'giu');

/**
 * What others wrote, as it stands in a prompt: between tags that it cannot close, since the beginning of every such tag within it is escaped. The
 * prompt `material` tells all agents what that means. `from` says where it is from; a text without anything is `otherwise`.
 */
export function fence(from: string, text: string, otherwise = 'None.'): string {
  if (!text.trim()) return otherwise;
  return `<material from="${from.replace(/[<>"\s]+/g, ' ')}">\n${text.replace(tag, '&lt;')}\n</material>`;
}

/** A text without its fences, for a person. */
export function withoutFences(text: string): string {
  return text.replace(/^<material from="[^"]*">\n|\n<\/material>$/gm, '');
}
