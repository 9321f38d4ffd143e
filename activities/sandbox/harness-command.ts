import type { StepResult } from '../../domain/project/settings.ts';
import { preview, storableText } from '../../domain/storable-text.ts';
import type { CommandResult, Sandbox } from '../../sandbox/sandbox.ts';
import type { ActivitySignals } from '../heartbeat.ts';

export interface HarnessCommand {
  id: string;
  description: string;
  command: string;
  timeoutMs: number;
  /** Standard input. */
  input?: string;
}

/** A command that died with its sandbox this often is expected to do so again. */
const maxInterruptions = 3;

/** Runs a command of the harness, not of an agent; if it was stopped, alone or with its sandbox, it is run again. */
export async function runHarnessCommand(
  sandbox: Sandbox,
  request: HarnessCommand,
  signals: ActivitySignals,
): Promise<StepResult> {
  const { command, timeoutMs } = request;
  let interruptions = 0;
  for (let attempt = 1; ; attempt += 1) {
    const id = attempt === 1 ? request.id : `${request.id}-${attempt}`;
    const result = await sandbox.run({ id, script: command, timeoutMs, input: request.input ?? '', ...signals });
    signals.cancel.throwIfAborted(); // a stopped command says nothing about the work
    if (result.outcome === 'cancelled') continue; // stopped by an earlier pause, not by this attempt
    if (result.outcome === 'interrupted') interruptions += 1;
    if (result.outcome === 'interrupted' && interruptions < maxInterruptions) continue;
    return toStepResult(request, result);
  }
}

export function toStepResult(
  { description, command, timeoutMs }: Omit<HarnessCommand, 'id'>,
  { outcome, exitCode, output, durationMs }: CommandResult,
): StepResult {
  return {
    description,
    command,
    passed: outcome === 'exited' && exitCode === 0,
    outcome: outcome === 'timed-out' ? `stopped after ${timeoutMs / 1000} s` : outcome,
    exitCode,
    output: storableText(output.text),
    durationMs,
  };
}

/** What failed, with the end of its output, in under 450 characters. */
export function describeFailedStep(step: StepResult): string {
  if (step.sealed) return `A check that is sealed failed (${step.outcome}). It requires: ${step.description}`;
  const how = step.outcome === 'exited' ? `exit code ${step.exitCode}` : step.outcome;
  const end = step.output.trimEnd().split('\n').slice(-8).join('\n').slice(-220);
  return `"${preview(step.description, 80)}" failed (${how}): \`${preview(step.command, 80)}\`${end ? ` said: ${preview(end, 220)}` : ' said nothing'}`;
}
