import canonicalize from 'canonicalize';
import { AgentError } from '../agent-error.ts';
import type { Step } from './step.ts';

/**
 * What steps side by side made of the state that they were given, which is JSON.
 * @throws {AgentError} `InvalidValue` if two changed the same property.
 */
export function mergeStates(before: object, runs: ReadonlyArray<{ state: object }>, group: readonly Step[]): object {
  const [only] = runs;
  if (only && runs.length === 1) return only.state;
  const merged: Record<string, unknown> = { ...before };
  const changedBy = new Map<string, string>();
  for (const [index, { state }] of runs.entries()) {
    const name = group[index]?.name ?? '';
    for (const [property, value] of Object.entries(state)) {
      if (canonicalize(value) === canonicalize((before as Record<string, unknown>)[property])) continue;
      const other = changedBy.get(property);
      if (other !== undefined) {
        throw new AgentError(
          'InvalidValue',
          `Expected steps that run side by side to change different properties of the state; "${other}" and "${name}" both changed "${property}".`,
        );
      }
      changedBy.set(property, name);
      merged[property] = value;
    }
  }
  return merged;
}
