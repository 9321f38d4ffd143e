import { countOf } from '../../client/format/count.ts';
import { formatDuration } from '../../client/format/time.ts';
import type { StackReport } from '../../setup/stack/state/stack-state.ts';
import { fitColumns } from './columns.ts';

const advice: Partial<Record<StackReport['status'], string>> = {
  absent: 'There is no stack in this data folder yet. `longhaul up` starts one.',
  stopped: 'The stack is stopped. `longhaul up` starts it.',
  'left-over':
    'The supervisor was killed and some services still run. `longhaul up` takes them over, `longhaul down` stops them.',
};

/** Renders the output of `longhaul ps`. */
export function renderStack(stack: StackReport, home: string, width?: number): string {
  const rows = stack.services.map((service) => [
    service.name,
    service.state,
    service.pid === null ? '' : `pid ${service.pid}`,
    service.uptimeMs === null ? '' : formatDuration(service.uptimeMs),
    service.memoryBytes === null ? '' : `${Math.round(service.memoryBytes / 1_000_000)} MB`,
    service.restarts ? `restarted ${countOf(service.restarts, 'time')}` : '',
    service.url ?? '',
    service.log,
  ]);
  const lines = [`${stack.status}, in ${home}`, ...fitColumns(rows, width, 2)];
  if (stack.addresses.ui) lines.push(`Temporal UI: ${stack.addresses.ui}`);
  const next = stack.failure ?? advice[stack.status];
  return [...lines, ...(next ? [next] : [])].join('\n');
}
