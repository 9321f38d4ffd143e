import type { FeatureVerification } from '../../domain/project/settings.ts';
import { printable, printableLine } from './printable.ts';
import type { Colors } from './style.ts';

/** Renders a feature's verification: its steps, protected and allowed files, and sealed checks with their files. */
export function renderChecks(
  { steps, protectedPaths, sealed, allowed = [] }: FeatureVerification,
  colors: Colors,
): string {
  return [
    ...steps.flatMap(({ description, command }) => [
      printableLine(description),
      ...(command ? [`  $ ${indent(command)}`] : []),
    ]),
    ...(protectedPaths.length ? [`${colors.bold('Protected:')} ${protectedPaths.map(printableLine).join(', ')}`] : []),
    ...(allowed.length ? [`${colors.bold('Allowed to change:')} ${allowed.map(printableLine).join(', ')}`] : []),
    ...sealed.flatMap(({ requirement, command, files }) => [
      `${colors.bold('Sealed:')} ${printableLine(requirement)}`,
      `  $ ${indent(command)}`,
      ...files.flatMap(({ path, content }) => [
        colors.dim(`  ${printableLine(path)}`),
        `    ${indent(content.trimEnd(), 4)}`,
      ]),
    ]),
  ].join('\n');
}

function indent(text: string, by = 2): string {
  return printable(text).replaceAll('\n', `\n${' '.repeat(by)}`);
}
