import { AgentError } from '../agent-error.ts';
import type { Step } from './step.ts';

/** @throws {AgentError} `DuplicateName` */
export function expectDifferentNames(all: readonly Step[]): void {
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new AgentError(
      'DuplicateName',
      `Expected steps of different names, got "${twice}" twice. Rename one of them.`,
    );
  }
}
