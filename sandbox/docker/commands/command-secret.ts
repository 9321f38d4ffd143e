import { createHmac } from 'node:crypto';

/** A container label: invisible inside the sandbox, readable by every attempt that finds the container. */
export const secretLabel = 'longhaul.secret';

/** The name under which a sandbox stores a command's record: the same for each attempt, and not guessable inside the sandbox beforehand. */
export function recordName(secret: string | undefined, id: string): string {
  return secret === undefined ? id : `${id}.${derive(secret, 'record', id).slice(0, 16)}`;
}

/** Proof that the harness itself wrote exit code 0: derived from a secret, given only to the harness's program before the command begins. */
export function proofOf(secret: string | undefined, id: string): string {
  return secret === undefined ? '' : derive(secret, 'proof', id).slice(0, 32);
}

function derive(secret: string, purpose: string, id: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${id}`).digest('hex');
}
