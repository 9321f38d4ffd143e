import type { RequestAddress } from '../request-address.ts';
import type { FoundTurn } from '../script/find-turn.ts';
import { type ControlInput, controlSchema, isContentMisbehaviour, type Misbehaviour } from './misbehaviour.ts';

/** The misbehaviour that a scripted model was told to show, and how often it has. Kept in memory, so a restart forgets it. */
export interface MisbehaviourRules {
  /** @throws {z.ZodError} if the rule is invalid. */
  add(rule: ControlInput): void;
  clear(): void;
  /** The misbehaviour for this request, which counts as one use; added rules take precedence over the script's own. */
  take(address: RequestAddress, found: FoundTurn): Misbehaviour | undefined;
}

export function createMisbehaviourRules(): MisbehaviourRules {
  let rules: Array<ReturnType<typeof controlSchema.parse>> = [];
  const scriptedUses = new Map<string, number>();

  function takeAdded(address: RequestAddress): Misbehaviour | undefined {
    const rule = rules.find(({ match }) =>
      Object.entries(match).every(
        ([key, value]) => value === undefined || address[key as keyof RequestAddress] === value,
      ),
    );
    if (rule === undefined) return undefined;
    rule.times -= 1;
    if (rule.times === 0) rules = rules.filter((other) => other !== rule);
    return rule.misbehave;
  }

  function takeScripted(address: RequestAddress, { turn, spoiled }: FoundTurn): Misbehaviour | undefined {
    if (turn.misbehave === undefined) return undefined;
    const { times, ...misbehaviour } = turn.misbehave;
    if (isContentMisbehaviour(misbehaviour)) return spoiled < times ? misbehaviour : undefined;
    const key = JSON.stringify([address.run, address.role, address.feature, address.attempt, address.turn]);
    const uses = scriptedUses.get(key) ?? 0;
    scriptedUses.set(key, uses + 1);
    return uses < times ? misbehaviour : undefined;
  }

  return {
    add: (rule) => {
      rules.push(controlSchema.parse(rule));
    },
    clear: () => {
      rules = [];
    },
    take: (address, found) => takeAdded(address) ?? takeScripted(address, found),
  };
}
