import type { Configuration } from '../../config/configuration.ts';
import { StackNotRunningError } from '../errors.ts';

/** Where Longhaul's parts are reached; an address is absent if neither a setting nor a running stack provides it. */
export interface Addresses {
  temporal?: string | undefined;
  ui?: string | undefined;
  database?: string | undefined;
  /** Of the scripted model, if the stack runs on it. */
  model?: string | undefined;
}

/** Reads the addresses from the configuration, otherwise from what the running stack recorded in its data folder. */
export async function findAddresses(configuration: Configuration): Promise<Addresses> {
  if (configuration.temporal.address && configuration.database.url) {
    const { address: temporal, uiUrl: ui } = configuration.temporal;
    return { temporal, ui, database: configuration.database.url };
  }
  const { readAddresses } = await import('../../setup/stack/read-stack.ts');
  return readAddresses(configuration);
}

/** @throws {StackNotRunningError} saying which setting or command would help. */
export function expectAddress(address: string | undefined, what: string, setting: string, home: string): string {
  if (address !== undefined) return address;
  throw new StackNotRunningError(
    `Expected the address of ${what} in ${setting} or from a running stack in ${home}; there is neither. Start the stack with \`longhaul up -d\`, or set ${setting}.`,
  );
}
