/** Why a made tool is not accepted: the part at fault, its line if known, and a reason with what was expected and what came. */
export interface Refusal {
  part: 'name' | 'description' | 'language' | 'parameters' | 'code' | 'tests';
  line?: number | undefined;
  reason: string;
}

/** Thrown when a made tool is not accepted; the message has one line per refusal. */
export class MadeToolRefusedError extends Error {
  override name = 'MadeToolRefusedError';
  readonly refusals: Refusal[];

  constructor(name: string, refusals: Refusal[]) {
    super(`The tool "${name}" is not accepted. Mend this and give it again:\n${tellRefusals(refusals)}`);
    this.refusals = refusals;
  }
}

export function tellRefusals(refusals: Refusal[]): string {
  return refusals
    .map(({ part, line, reason }) => `- ${part}${line === undefined ? '' : `, line ${line}`}: ${reason}`)
    .join('\n');
}
