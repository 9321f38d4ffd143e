import { createHash } from 'node:crypto';

/** What tells two data folders of one machine apart in names outside them: folders of Postgres, labels of containers. */
export function homeHash(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 12);
}
