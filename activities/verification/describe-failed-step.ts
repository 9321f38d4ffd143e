import type { StepResult } from '../../domain/project/settings.ts';
import { preview } from '../../domain/storable-text.ts';

/** What failed, with the end of its output, in under 450 characters. */
export function describeFailedStep(step: StepResult): string {
  const how = step.outcome === 'exited' ? `exit code ${step.exitCode}` : step.outcome;
  const end = step.output.trimEnd().split('\n').slice(-8).join('\n').slice(-220);
  return `"${preview(step.description, 80)}" failed (${how}): \`${preview(step.command, 80)}\`${end ? ` said: ${preview(end, 220)}` : ' said nothing'}`;
}
