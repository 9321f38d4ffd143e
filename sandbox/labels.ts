import type { SandboxOwner } from './sandbox.ts';

/** Labels that tell a sandbox's container and volumes from all others. `stack` is set where several stacks share a container host. */
export function toLabels(name: string, owner: SandboxOwner, stack: string | undefined): Record<string, string> {
  return {
    longhaul: '1',
    'longhaul.name': name,
    'longhaul.project': owner.project,
    'longhaul.owner': owner.owner,
    'longhaul.purpose': owner.purpose,
    ...(stack === undefined ? {} : { 'longhaul.stack': stack }),
  };
}

/** Reads them back. */
export function fromLabels(labels: Record<string, string>): { name: string; owner: SandboxOwner } {
  return {
    name: labels['longhaul.name'] ?? '',
    owner: {
      project: labels['longhaul.project'] ?? '',
      owner: labels['longhaul.owner'] ?? '',
      purpose: (labels['longhaul.purpose'] ?? 'session') as SandboxOwner['purpose'],
    },
  };
}

/** The filter under which the container host finds those of this stack. */
export function labelFilter(stack: string | undefined): string[] {
  return ['longhaul=1', ...(stack === undefined ? [] : [`longhaul.stack=${stack}`])];
}
