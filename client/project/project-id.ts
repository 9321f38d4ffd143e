import { randomInt } from 'node:crypto';
import { plainWords } from '../../db/plain-words.ts';

const slugLength = 40;
const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A short kebab-case name from a project's name or the first words of its goal. */
export function slugOf(text: string): string {
  const words = plainWords(text);
  const slug: string[] = [];
  for (const word of words.slice(0, 5)) {
    if ([...slug, word].join('-').length > slugLength) break;
    slug.push(word);
  }
  return slug.join('-') || words[0]?.slice(0, slugLength) || 'project';
}

/** A new project's id, which is also its workflow's. */
export function createProjectId(slug: string): string {
  return `project-${slug}-${randomDigits()}`;
}

/** A new chat's id, which is also its workflow's. */
export function createChatId(slug: string): string {
  return `chat-${slug}-${randomDigits()}`;
}

/** Six random base-36 digits, which keep ids with the same slug apart. */
function randomDigits(): string {
  return Array.from({ length: 6 }, () => digits[randomInt(digits.length)]).join('');
}
