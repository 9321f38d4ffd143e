import type { Transcript } from '../../domain/run/transcript.ts';
import { cutText } from '../../domain/storable-text.ts';
import { ClientError } from '../errors.ts';

/** Characters; a client reads a resource as a whole. */
const maxLength = 200_000;

/** Runs that wrote sealed checks, which an agent that works on features must not see. */
const writesChecks = new Set(['initializer', 'checks']);

/**
 * A run's messages as plain text, without the oldest if they are too long.
 * @throws {ClientError} `RequestRefused` for a run that wrote checks.
 */
export function renderRun({ run, messages }: Pick<Transcript, 'run' | 'messages'>): string {
  if (writesChecks.has(run.role)) {
    throw new ClientError(
      'RequestRefused',
      `The run ${run.id} wrote sealed checks, which agents do not see. \`longhaul transcript ${run.id}\` shows it to a person.`,
    );
  }
  const parts = messages.map(({ number, turn, role, content }) => {
    const calls = (content.toolCalls ?? []).map((call) => `${call.name} ${call.arguments}`);
    return [`#${number} ${role}, turn ${turn}`, ...(content.text ? [content.text] : []), ...calls].join('\n');
  });
  const whole = [`${run.id}: ${run.role} on ${run.model}, ${run.status}`, ...parts].join('\n\n');
  if (whole.length <= maxLength) return whole;
  return `[The first ${whole.length - maxLength} characters are left out.]\n${cutText(whole.slice(-maxLength), maxLength)}`;
}
