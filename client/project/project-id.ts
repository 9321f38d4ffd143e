import { randomInt } from 'node:crypto';
import { plainWords } from '../../db/plain-words.ts';

const slugLength = 40;
const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A short name in kebab-case from a project's name or the first words of its goal. */
export function slugOf(text: string): string {
  const words = plainWords(text);
  const slug: string[] = [];
  for (const word of words.slice(0, 5)) {
    if ([...slug, word].join('-').length > slugLength) break;
    slug.push(word);
  }
  return slug.join('-') || words[0]?.slice(0, slugLength) || 'project';
}

/** A new project's id, which is its workflow's too. */
export function createProjectId(slug: string): string {
  return `project-${slug}-${randomDigits()}`;
}

/** The same of a chat. */
export function createChatId(slug: string): string {
  return `chat-${slug}-${randomDigits()}`;
}

/** Six random digits of base 36 keep those of one name apart. */
function randomDigits(): string {
  return Array.from({ length: 6 }, () => digits[randomInt(digits.length)]).join('');
}
