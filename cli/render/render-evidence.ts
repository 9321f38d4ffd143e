import { shortCommit } from '../../client/format/commit.ts';
import { formatMoment } from '../../client/format/time.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { readTestCounts } from '../../domain/verification/test-counts.ts';
import type { Verification } from '../../domain/verification/verification.ts';
import { printable, printableLine } from './printable.ts';
import type { Colors } from './style.ts';

/** Renders the verifications of a feature, oldest first, each with its steps. */
export function renderEvidence(verifications: Verification[], colors: Colors): string {
  return verifications
    .map((one) => [heading(one, colors), ...one.steps.map(renderStep(colors)), ...renderMutants(one)].join('\n'))
    .join('\n\n');
}

function heading({ id, commit, purpose, passed, reason, createdAt }: Verification, colors: Colors): string {
  const text = purpose === 'base' ? reason : passed ? 'passed' : 'did not pass';
  const verdict = passed ? colors.green(text) : colors.red(text);
  return `${colors.bold(id)}  ${shortCommit(commit)}  ${formatMoment(createdAt)}  ${verdict}`;
}

function renderMutants({ mutants }: Verification): string[] {
  if (!mutants) return [];
  const { tried, noticed, missed } = mutants;
  return [
    `  ${noticed} of ${tried} mistakes in the changed lines were noticed`,
    ...missed.map((one) => `    not noticed: ${printableLine(one)}`),
  ];
}

function renderStep(colors: Colors) {
  return (step: StepResult): string => {
    const { command, output } = step.sealed ?? step;
    const kind = step.sealed ? 'sealed, ' : '';
    const details = `${kind}${describeEnd(step)}${describeTests(output)}, ${step.durationMs} ms`;
    const title = `  ${step.passed ? '✓' : '✗'} ${printableLine(step.description)} ${colors.dim(`(${details})`)}`;
    const { spoiled } = step;
    const proof = spoiled
      ? [
          colors.dim(
            `    with spoiled checks in ${spoiled.files.map(printableLine).join(', ')}: ${describeEnd(spoiled)}`,
          ),
          ...(spoiled.alone ?? []).map((one) => colors.dim(`    spoiled alone: ${printableLine(one)}`)),
        ]
      : [];
    return [
      title,
      `    $ ${indent(printable(command))}`,
      ...(output ? [`    ${indent(printable(output.trimEnd()))}`] : []),
      ...proof,
    ].join('\n');
  };
}

function describeEnd({ outcome, exitCode }: { outcome: string; exitCode: number | null }): string {
  return exitCode === null ? outcome : `exit code ${exitCode}${outcome === 'exited' ? '' : `, ${outcome}`}`;
}

function describeTests(output: string): string {
  const counts = readTestCounts(output);
  if (!counts) return '';
  const ran = `${counts.ran} ${counts.ran === 1 ? 'test' : 'tests'} ran`;
  return `, ${ran}${counts.skipped ? `, ${counts.skipped} skipped` : ''}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n    ');
}
