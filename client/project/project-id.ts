import { randomInt } from 'node:crypto';
import { plainWords } from '../../domain/plain-words.ts';

const slugLength = 40;
const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A short ASCII kebab-case name from a name or the first words of a text; the fallback if none of its words has ASCII letters or digits. */
export function slugOf(text: string, fallback = 'project'): string {
  return joinWords(plainWords(text)) || fallback;
}

/** The first five words, at most 40 characters; empty if there are none. */
export function joinWords(words: string[]): string {
  const slug: string[] = [];
  for (const word of words.slice(0, 5)) {
    if ([...slug, word].join('-').length > slugLength) break;
    slug.push(word);
  }
  return slug.join('-') || (words[0]?.slice(0, slugLength).replace(/\p{Cs}$/u, '') ?? '');
}

/** A new project's id, which is also its workflow's. */
export function createProjectId(slug: string): string {
  return `project-${slug}-${randomDigits()}`;
}

/** A new chat's id, which is also its workflow's, from the chat's name. */
export function createChatId(name: string): string {
  return `chat-${slugOf(name, 'chat')}-${randomDigits()}`;
}

/** Six random base-36 digits, which keep ids with the same slug apart. */
function randomDigits(): string {
  return Array.from({ length: 6 }, () => digits[randomInt(digits.length)]).join('');
}
