import { randomInt } from 'node:crypto';
import { slugOf } from '../../domain/slug.ts';

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new project's id, which is also its workflow's. */
export function createProjectId(slug: string | undefined): string {
  return ['project', ...(slug === undefined ? [] : [slug]), randomDigits()].join('-');
}

/** A new chat's id, which is also its workflow's, from the chat's name. */
export function createChatId(name: string): string {
  return `chat-${slugOf(name, 'chat')}-${randomDigits()}`;
}

/** Six random base-36 digits, which keep ids with the same slug apart. */
function randomDigits(): string {
  return Array.from({ length: 6 }, () => digits[randomInt(digits.length)]).join('');
}
