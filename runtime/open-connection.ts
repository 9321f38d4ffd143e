import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { expectAddress, type findAddresses } from '../client/connection/addresses.ts';
import type { Configuration } from '../config/configuration.ts';
import { definedOnly } from '../config/environment.ts';
import { packageRoot } from '../config/package-root.ts';
import { dataConverterOf } from '../temporal/data-converter.ts';

/** What a worker or a client of Longhaul's Temporal is created with. */
export interface TemporalServer {
  connection: NativeConnection;
  namespace: string;
  /** Absent where payloads are not encrypted. */
  dataConverter?: DataConverter;
}

/** @throws {ClientError} `StackNotRunning` */
export async function openConnection({
  configuration: { home, temporal },
  environment,
  addresses,
}: {
  configuration: Configuration;
  environment: Record<string, string | undefined>;
  addresses: ReturnType<typeof findAddresses>;
}): Promise<TemporalServer> {
  const address = expectAddress(addresses, 'temporal', home);
  const { connectionOptions, namespace } = temporal.address
    ? loadClientConnectConfig({ overrideEnvVars: definedOnly(environment) })
    : { connectionOptions: { address }, namespace: undefined };
  return {
    connection: await NativeConnection.connect({ ...connectionOptions, address }),
    namespace: namespace ?? temporal.namespace,
    ...dataConverterOf(temporal.payloadKeys, packageRoot()),
  };
}
