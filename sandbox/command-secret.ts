import { createHmac } from 'node:crypto';

/** A label of the container: nothing in a sandbox sees its labels, and every attempt that finds the container does. */
export const secretLabel = 'longhaul.secret';

/** Under which name a sandbox keeps what it knows of a command: the same at each attempt, and not to be guessed in the sandbox before it begins. */
export function recordName(secret: string | undefined, id: string): string {
  return secret === undefined ? id : `${id}.${derive(secret, 'record', id).slice(0, 16)}`;
}

/** What only the harness's own program can put beside exit code 0, since it hears of it before the command begins and tells it to nobody else. */
export function proofOf(secret: string | undefined, id: string): string {
  return secret === undefined ? '' : derive(secret, 'proof', id).slice(0, 32);
}

function derive(secret: string, purpose: string, id: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${id}`).digest('hex');
}
