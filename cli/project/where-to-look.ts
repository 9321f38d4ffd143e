import { findAddresses } from '../../client/connection/addresses.ts';
import type { ProjectStatusView } from '../../client/project/project-status.ts';
import type { Configuration } from '../../config/configuration.ts';
import { alignColumns } from '../text/align-columns.ts';
import { uiAddress } from './find-ui-address.ts';

/** What a newcomer can do after the first project. */
export async function describeWhereToLook(
  configuration: Configuration,
  { id, folder, status }: ProjectStatusView,
): Promise<string> {
  const { ui } = findAddresses(configuration);
  const rows = [
    ['the program', folder],
    ...(ui ? [['Temporal UI', uiAddress(ui, configuration.temporal.namespace, id)]] : []),
    ['its story', `npx longhaul report ${id}`],
    ['more', `npx longhaul status ${id}   (or features, log, decisions, checkpoints)`],
    ['to stop', 'npx longhaul down   (npx longhaul up goes on with what was at work)'],
  ];
  return ['', `The project is ${status}. Where to look:`, ...alignColumns(rows).map((line) => `  ${line}`)].join('\n');
}
