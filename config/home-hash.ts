import { createHash } from 'node:crypto';

/** Distinguishes the data folders of one machine in names outside them, such as folders of Postgres. */
export function homeHash(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 12);
}
