import { execa } from 'execa';
import { expectAddress, findAddresses } from '../../client/connection/addresses.ts';
import type { ProjectStatusView } from '../../client/project/project-status.ts';
import type { Configuration } from '../../config/configuration.ts';
import { alignColumns } from '../render/columns.ts';

/** The address of a workflow in the Temporal UI. */
export function uiAddress(ui: string, namespace: string, workflowId: string): string {
  return `${ui.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

/** @throws {ClientError} `StackNotRunning` if no UI is known. */
export async function findUiAddress(configuration: Configuration, workflowId: string): Promise<string> {
  const known = expectAddress(findAddresses(configuration), 'ui', configuration.home);
  return uiAddress(known, configuration.temporal.namespace, workflowId);
}

/** Opens an address in the person's browser if there is a display. */
export async function openInBrowser(url: string, environment: Record<string, string | undefined>): Promise<void> {
  const opener = openerFor(process.platform, environment);
  if (!opener) return;
  // The address was already printed, so a machine without a browser is fine.
  await execa(opener, [url], { reject: false, stdio: 'ignore', timeout: 10_000 });
}

function openerFor(platform: string, environment: Record<string, string | undefined>): string | undefined {
  if (platform === 'darwin') return 'open';
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}

/** What a newcomer can do after the first project. */
export async function describeWhereToLook(
  configuration: Configuration,
  { id, folder, status }: ProjectStatusView,
): Promise<string> {
  const { ui } = findAddresses(configuration);
  const rows = [
    ['project folder', folder],
    ...(ui ? [['Temporal UI', uiAddress(ui, configuration.temporal.namespace, id)]] : []),
    ['report', `npx longhaul report ${id}`],
    ['more', `npx longhaul status ${id}   (or features, log, decisions, checkpoints)`],
    ['to stop', 'npx longhaul down   (npx longhaul up continues the work)'],
  ];
  return ['', `The project is ${status}. Where to look:`, ...alignColumns(rows).map((line) => `  ${line}`)].join('\n');
}
