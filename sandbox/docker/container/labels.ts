import type { SandboxOwner } from '../../sandbox.ts';

/** Marks volumes that outlive their container. */
export const keptLabel = 'longhaul.kept';

/** On a sandbox that replaces a lost one: the tool call that noticed the loss. */
export const reopenedByLabel = 'longhaul.reopened-by';

/** On a container that only prepares a sandbox's volumes; without it, a container with a name is the sandbox itself. */
export const helperLabel = 'longhaul.helper';

/** Labels that distinguish a sandbox's container and volumes from all others. `stack` is set if several stacks share a container host. */
export function toLabels(name: string, owner: SandboxOwner, stack: string | undefined): Record<string, string> {
  return {
    ...stackLabels(stack),
    'longhaul.name': name,
    ...(owner.project === undefined ? {} : { 'longhaul.project': owner.project }),
    'longhaul.owner': owner.owner,
    'longhaul.purpose': owner.purpose,
  };
}

/** Labels of everything that a stack has on a container host. */
export function stackLabels(stack: string | undefined): Record<string, string> {
  return { longhaul: '1', ...(stack === undefined ? {} : { 'longhaul.stack': stack }) };
}

/** Reads the owner and name back from labels. */
export function fromLabels(labels: Record<string, string>): { name: string; owner: SandboxOwner } {
  const name = labels['longhaul.name'] ?? '';
  const owner = labels['longhaul.owner'] ?? '';
  const purpose = (labels['longhaul.purpose'] ?? 'session') as SandboxOwner['purpose'];
  if (purpose === 'chat' || purpose === 'run' || purpose === 'mcp') return { name, owner: { owner, purpose } };
  return { name, owner: { project: labels['longhaul.project'] ?? '', owner, purpose } };
}

/** Label filter for what this stack has on the container host. */
export function labelFilter(stack: string | undefined): string[] {
  return ['longhaul=1', ...(stack === undefined ? [] : [`longhaul.stack=${stack}`])];
}
