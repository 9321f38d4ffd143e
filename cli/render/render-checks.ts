import type { FeatureVerification } from '../../domain/project/settings.ts';
import { findSealedWithoutValues } from '../../domain/verification/spoil/sealed-values.ts';
import { printable, printableLine } from './printable.ts';
import type { Colors } from './style.ts';

const advice =
  'No value is written out beside a result here, so work that reads this check could answer it. Write one: `assert f(2) == 4`, `[ "$(./f 2)" = 4 ]`.';

/** Renders a feature's verification: its steps, protected and allowed files, and sealed checks with their files. */
export function renderChecks(
  { steps, protectedPaths, sealed, allowed = [] }: FeatureVerification,
  colors: Colors,
): string {
  const withoutValues = findSealedWithoutValues(sealed);
  return [
    ...steps.flatMap(({ description, command }) => [
      printableLine(description),
      ...(command ? [`  $ ${indent(command)}`] : []),
    ]),
    ...(protectedPaths.length ? [`${colors.bold('Protected:')} ${protectedPaths.map(printableLine).join(', ')}`] : []),
    ...(allowed.length ? [`${colors.bold('Allowed to change:')} ${allowed.map(printableLine).join(', ')}`] : []),
    ...sealed.flatMap((check) => [
      `${colors.bold('Sealed:')} ${printableLine(check.requirement)}`,
      ...(withoutValues.includes(check) ? [colors.yellow(`  ${advice}`)] : []),
      `  $ ${indent(check.command)}`,
      ...check.files.flatMap(({ path, content }) => [
        colors.dim(`  ${printableLine(path)}`),
        `    ${indent(content.trimEnd(), 4)}`,
      ]),
    ]),
  ].join('\n');
}

function indent(text: string, by = 2): string {
  return printable(text).replaceAll('\n', `\n${' '.repeat(by)}`);
}
