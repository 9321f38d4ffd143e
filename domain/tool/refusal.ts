import { LonghaulError } from '../longhaul-error.ts';

/** Why a made tool is refused: the part, its line if known, and what was expected and what came. */
export interface Refusal {
  part: 'name' | 'description' | 'language' | 'parameters' | 'code' | 'tests';
  line?: number | undefined;
  reason: string;
}

/** A made tool is not accepted; the message has one line per refusal. */
export class MadeToolRefusedError extends LonghaulError<'MadeToolRefused'> {
  readonly refusals: Refusal[];

  constructor(name: string, refusals: Refusal[]) {
    super(`The tool "${name}" was refused. Fix this and submit it again:\n${formatRefusals(refusals)}`, {
      code: 'MadeToolRefused',
      kind: 'input',
    });
    this.refusals = refusals;
  }
}

export function formatRefusals(refusals: Refusal[]): string {
  return refusals
    .map(({ part, line, reason }) => `- ${part}${line === undefined ? '' : `, line ${line}`}: ${reason}`)
    .join('\n');
}
