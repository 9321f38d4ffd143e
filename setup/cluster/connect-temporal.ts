import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { definedOnly } from '../../config/environment.ts';

/** Connects to the server at this address, with the TLS and API key settings of the TEMPORAL_* variables and profiles. */
export async function connectTemporal(
  address: string,
  environment: Record<string, string | undefined>,
): Promise<Connection> {
  const { connectionOptions } = loadClientConnectConfig({ overrideEnvVars: definedOnly(environment) });
  return Connection.connect({ ...connectionOptions, address, connectTimeout: '10s' });
}
