import { join } from 'node:path';
import type { Configuration } from '../../../config/configuration.ts';
import type { ServiceDefinition } from '../supervisor/service-definition.ts';
import { builtProgram, parseLine } from './program.ts';

/** The worker. It alone gets the whole environment, keys included, and the addresses of the other services. */
export function createWorkerService(options: {
  configuration: Configuration;
  environment: Record<string, string | undefined>;
  /** The services that this stack runs itself. */
  after: string[];
  dockerHost: string;
  sandboxImage: string;
}): ServiceDefinition {
  const { configuration, environment } = options;
  return {
    name: 'worker',
    after: options.after,
    ports: {},
    async command({ addresses }) {
      return {
        file: process.execPath,
        parameters: [builtProgram('workers/main')],
        endsWithSupervisor: true,
        environment: {
          ...(options.after.includes('temporal') ? withoutProfile(environment, configuration.home) : environment),
          LONGHAUL_HOME: configuration.home,
          TEMPORAL_ADDRESS: addresses.temporal,
          TEMPORAL_NAMESPACE: configuration.temporal.namespace,
          ...(addresses.ui ? { TEMPORAL_UI_URL: addresses.ui } : {}),
          DATABASE_URL: addresses.database,
          DOCKER_HOST: options.dockerHost,
          SANDBOX_IMAGE: options.sandboxImage,
          // The client library requires a key; the scripted model accepts any.
          ...(addresses.model
            ? { OPENAI_BASE_URL: addresses.model, OPENAI_API_KEY: 'scripted-model', LONGHAUL_MODEL: 'scripted' }
            : {}),
        },
      };
    },
    async ready({ signal }, log) {
      await log.find((line) => (parseLine(line)?.ready === true ? true : undefined), signal);
      return { url: null };
    },
    readyMs: 60_000,
    stop: { signal: 'SIGTERM', graceMs: 4_000 },
  };
}

/**
 * A person's own profile (`temporal.toml`, TEMPORAL_PROFILE, TEMPORAL_API_KEY ...) is for their servers, not for our dev server, which speaks without
 * TLS. A file that does not exist means no profile.
 */
function withoutProfile(environment: Record<string, string | undefined>, home: string) {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return { ...Object.fromEntries(others), TEMPORAL_CONFIG_FILE: join(home, 'temporal', 'no-profile.toml') };
}
