import type { FeatureState } from '../../db/features/features.ts';
import { preview } from '../../domain/storable-text.ts';

/** A feature on one line. */
export function describeFeature({ name, status, attempts, reason }: FeatureState): string {
  const why = status === 'PASSING' || !reason ? '' : `: ${preview(reason, 300)}`;
  return `- ${name} (${status}${attempts ? `, ${attempts} failed attempts` : ''})${why}`;
}

/** All that whoever works on a feature needs to know. Of a sealed check that is only what it requires. */
export function describeWholeFeature(feature: FeatureState, all: FeatureState[]): string {
  const { description, category, priority, dependencies, verification, lesson } = feature;
  const { steps, protectedPaths, sealed } = verification;
  const names = all.filter(({ id }) => dependencies.includes(id)).map(({ name }) => name);
  return [
    describeFeature(feature),
    `  ${description.replaceAll('\n', '\n  ')}`,
    `  category: ${category}, priority: ${priority}${names.length ? `, depends on: ${names.join(', ')}` : ''}`,
    '  verified by:',
    ...steps.map(({ description: what, command }) => `  - ${what}${command ? `: ${command}` : ''}`),
    ...sealed.map(({ requirement }) => `  - sealed: ${requirement}`),
    ...(protectedPaths.length ? [`  files that must not change: ${protectedPaths.join(', ')}`] : []),
    ...(lesson ? [`  learned: ${preview(lesson, 1000)}`] : []),
  ].join('\n');
}
