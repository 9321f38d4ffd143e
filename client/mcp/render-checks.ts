import type { FeatureVerification } from '../../domain/project/settings.ts';

/** A feature's verification for an agent that may work on the feature: of a sealed check only what it requires. */
export function renderChecks({ steps, protectedPaths, sealed, allowed = [] }: FeatureVerification): string {
  return [
    ...steps.map(({ description, command }) => `- ${description}${command ? `\n  ${command}` : ''}`),
    ...sealed.map(({ requirement }) => `- sealed: ${requirement}`),
    ...(protectedPaths.length ? [`Files that must not change: ${protectedPaths.join(', ')}`] : []),
    ...(allowed.length ? [`Files that steer checks and may change: ${allowed.join(', ')}`] : []),
  ].join('\n');
}
