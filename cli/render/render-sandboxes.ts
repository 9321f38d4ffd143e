import { countOf } from '../../client/format/count.ts';
import { formatElapsed } from '../../client/format/time.ts';
import type { ListedSandbox } from '../../setup/docker/read-sandbox-usage.ts';
import { fitColumns } from './columns.ts';
import { printableLine } from './printable.ts';

/** Renders the output of `longhaul sandbox ps`. */
export function renderSandboxes(sandboxes: ListedSandbox[], width?: number): string {
  if (sandboxes.length === 0) return 'There are no sandboxes.';
  const rows = sandboxes.map(({ name, owner, running, createdAt, usage }) => [
    printableLine(name),
    owner.purpose,
    running ? `for ${formatElapsed(createdAt, null)}` : 'stopped',
    usage ? `${megabytes(usage.memoryBytes)} memory` : '',
    usage ? `${Math.round(usage.cpuPercent)}% CPU` : '',
    usage ? countOf(usage.processes, 'process', 'processes') : '',
    usage ? `${usage.diskBytes === undefined ? 'over its limit' : megabytes(usage.diskBytes)} on disk` : '',
    usage ? countOf(usage.files, 'file') : '',
  ]);
  return fitColumns(rows, width, 2).join('\n');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`;
}
