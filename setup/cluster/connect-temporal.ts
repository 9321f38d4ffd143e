import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/** A connection to the server at this address, with the TLS and API key settings that TEMPORAL_* variables and profiles hold. */
export async function connectTemporal(
  address: string,
  environment: Record<string, string | undefined>,
): Promise<Connection> {
  const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { connectionOptions } = loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(set) });
  return Connection.connect({ ...connectionOptions, address, connectTimeout: '10s' });
}
