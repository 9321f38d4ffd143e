import type { Configuration } from '../../config/configuration.ts';
import { isLeftOver, readAddresses } from '../../config/stack-record.ts';
import { ClientError } from '../errors.ts';

/** Where Longhaul's parts are reached; an address is absent if neither a setting nor a running stack provides it. */
export interface Addresses {
  temporal?: string | undefined;
  ui?: string | undefined;
  database?: string | undefined;
  /** Of the scripted model, if the stack runs on it. */
  model?: string | undefined;
  /** Whether services of a stack run whose supervisor was killed; they are not used until `longhaul up` takes them over. */
  leftOver?: boolean;
}

const parts = {
  database: { what: 'Postgres', setting: 'DATABASE_URL' },
  temporal: { what: 'Temporal', setting: 'TEMPORAL_ADDRESS' },
  ui: { what: "Temporal's UI", setting: 'TEMPORAL_UI_URL' },
};

/** Reads the addresses from the configuration, otherwise from what the running stack recorded in its data folder. */
export function findAddresses(configuration: Configuration): Addresses {
  if (configuration.temporal.address && configuration.database.url) {
    const { address: temporal, uiUrl: ui } = configuration.temporal;
    return { temporal, ui, database: configuration.database.url };
  }
  return { ...readAddresses(configuration), leftOver: isLeftOver(configuration.home) };
}

/** @throws {ClientError} `StackNotRunning` saying which setting or command would help. */
export function expectAddress(addresses: Addresses, part: keyof typeof parts, home: string): string {
  const address = addresses[part];
  if (address !== undefined) return address;
  const { what, setting } = parts[part];
  throw new ClientError(
    'StackNotRunning',
    addresses.leftOver
      ? `Expected the address of ${what} from the stack in ${home}, but its supervisor was killed and some services still run. \`longhaul up\` takes them over, \`longhaul down\` stops them.`
      : `Expected the address of ${what} in ${setting} or from a running stack in ${home}, found neither. Start the stack with \`longhaul up -d\`, or set ${setting}.`,
  );
}
