import { startTemporal } from './start-temporal.mjs';

export interface ShortHistoryServer {
  address: string;
  stop(): Promise<void>;
}

/** A Temporal server of one's own that suggests to continue as new after so many events. */
export function startShortHistoryServer(events: number): Promise<ShortHistoryServer> {
  return startTemporal([`limit.historyCount.suggestContinueAsNew=${events}`]);
}
