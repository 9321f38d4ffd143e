import type { StackAddresses } from '../../config/stack-record.ts';

/** The events of a stack, in the order in which a person would want to hear of them. */
export type StackEvent =
  | { type: 'port-taken'; service: string; port: number; chosen: number }
  | { type: 'leftover-stopped'; service: string; pid: number }
  | { type: 'service-starting'; service: string }
  | { type: 'service-ready'; service: string; url: string | null; durationMs: number; restarts: number }
  | { type: 'service-ended'; service: string; how: string; retryMs: number }
  | { type: 'service-failed'; service: string; message: string }
  | { type: 'stack-ready'; addresses: StackAddresses; durationMs: number }
  | { type: 'stack-stopping' }
  | { type: 'service-stopped'; service: string; killed: boolean }
  | { type: 'stack-stopped'; durationMs: number }
  | { type: 'problem'; message: string };

/** The event in one line of plain text; undefined if it is not worth a line. */
export function describeStackEvent(event: StackEvent): string | undefined {
  switch (event.type) {
    case 'port-taken':
      return `port ${event.port} is taken: ${event.service} uses ${event.chosen}`;
    case 'leftover-stopped':
      return `stopped ${event.service} (process ${event.pid}), left by a stack that was killed`;
    case 'service-starting':
    case 'stack-ready':
      return undefined;
    case 'service-ready':
      return `${event.service} is ready${event.url === null ? '' : ` at ${event.url}`}${event.restarts > 0 ? ' again' : ''}`;
    case 'service-ended':
      return `${event.service} ended (${event.how}); starting it again in ${event.retryMs / 1000} s`;
    case 'service-failed':
      return event.message;
    case 'stack-stopping':
      return 'stopping';
    case 'service-stopped':
      return `stopped ${event.service}${event.killed ? ' (it had to be killed)' : ''}`;
    case 'stack-stopped':
      return `stopped in ${(event.durationMs / 1000).toFixed(1)} s`;
    case 'problem':
      return event.message;
  }
}
