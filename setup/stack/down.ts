import type { Configuration } from '../../config/configuration.ts';
import { findDaemon } from '../docker/find-daemon.ts';
import { releaseDocker } from '../docker/release-docker.ts';
import type { StackEvent } from './state/stack-event.ts';
import { stopStack } from './stop-stack.ts';

/** `longhaul down`: stops the home's stack, wherever it runs and whatever was killed of it. */
export async function down(options: {
  configuration: Configuration;
  environment: Record<string, string | undefined>;
  onEvent(event: StackEvent): void;
}): Promise<'stopped' | 'not-running'> {
  const { configuration, environment, onEvent } = options;
  return stopStack({
    home: configuration.home,
    onEvent,
    async cleanUp() {
      const daemon = await findDaemon(configuration.docker.host, environment);
      if ('version' in daemon) await releaseDocker(configuration.home, daemon.host, environment);
    },
  });
}
