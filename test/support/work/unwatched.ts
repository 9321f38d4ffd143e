import { noTelemetry } from '../../../domain/telemetry/telemetry.ts';

/** Dependencies of activities for runs that nobody watches or traces, and that have no MCP servers. */
export const unwatched = {
  answers: {
    open: () => ({ begin() {}, add() {}, end() {} }),
    attend: (_: string, work: () => unknown) => work(),
    isWatched: () => false,
    sendLine() {},
    tellStored() {},
  },
  mcp: { tools: async () => [] },
  telemetry: noTelemetry,
};
