import { AgentTestError } from '../agent-test-error.ts';
import type { ToolExecution } from '../watched-tools.ts';
import { fits, lines, show } from './fits.ts';

/** A run of a test, or a test context. */
export interface HasExecutions {
  executions: readonly ToolExecution[];
}

/**
 * Expects that a tool's function ran: at least once, or as often as `times` says, with an input that fits. Returns those executions.
 * @throws {AgentTestError} `ExpectationFailed` listing what ran.
 */
export function expectTool(
  { executions }: HasExecutions,
  tool: string,
  { input, times }: { input?: unknown; times?: number } = {},
): ToolExecution[] {
  const found = executions.filter((one) => one.tool === tool && (input === undefined || fits(one.input, input)));
  if (times === undefined ? found.length > 0 : found.length === times) return found;
  const how = times === undefined ? '' : ` ${times} ${times === 1 ? 'time' : 'times'}`;
  const given = input === undefined ? '' : ` with ${show(input)}`;
  throw new AgentTestError(
    'ExpectationFailed',
    `Expected the tool "${tool}" to run${how}${given}, but these ran:${lines(executions.map(describe))}`,
  );
}

/** @throws {AgentTestError} `ExpectationFailed` showing how it was called. */
export function expectNoTool(run: HasExecutions, tool: string): void {
  const found = run.executions.filter((one) => one.tool === tool);
  if (!found.length) return;
  throw new AgentTestError(
    'ExpectationFailed',
    `Expected the tool "${tool}" not to run, but it did:${lines(found.map(describe))}`,
  );
}

/**
 * Expects that no tool with side effects ran twice with the same input, as after a crash.
 * @throws {AgentTestError} `ExpectationFailed` naming what ran twice.
 */
export function expectEffectsOnce({ executions }: HasExecutions): void {
  const effects = executions.filter(({ hasSideEffects }) => hasSideEffects).map(describe);
  const twice = effects.filter((one, index) => effects.indexOf(one) !== index);
  if (!twice.length) return;
  throw new AgentTestError(
    'ExpectationFailed',
    `Expected each effect once, but these were made more than once:${lines([...new Set(twice)])}`,
  );
}

function describe({ tool, input }: ToolExecution): string {
  return `${tool}(${show(input)})`;
}
