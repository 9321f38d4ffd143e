import { once } from 'node:events';
import type { Command } from 'commander';
import { findAddresses } from '../../client/connection/addresses.ts';
import type { CommandContext } from '../program/command-context.ts';
import { parseCount } from '../program/parse-count.ts';

/** Beside the Temporal UI's 8233. */
const defaultPort = 8234;

export function addCodec(program: Command, context: CommandContext): void {
  program
    .command('codec')
    .description('decrypt payloads for the Temporal UI and the `temporal` command, until Ctrl-C')
    .option('--port <port>', 'port on 127.0.0.1', parseCount, defaultPort)
    .option('--origin <origin...>', 'addresses of further Temporal UIs that may use it')
    .action(async ({ port, origin = [] }: { port: number; origin?: string[] }) => {
      const { ConfigurationError } = await import('../../domain/configuration-error.ts');
      const { createPayloadCodec } = await import('../../temporal/payload-codec.ts');
      const { serveCodec } = await import('../../temporal/codec-endpoint.ts');
      const configuration = await context.configuration();
      const [first, ...others] = configuration.temporal.payloadKeys;
      if (!first) {
        throw new ConfigurationError(
          'Expected LONGHAUL_PAYLOAD_KEYS, the keys that payloads are encrypted with; it is not set, so nothing is encrypted.',
        );
      }
      const { ui } = findAddresses(configuration);
      const origins = [...(ui === undefined ? [] : [ui, ui.replace('127.0.0.1', 'localhost')]), ...origin];
      const signal = context.interruptSignal();
      const endpoint = await serveCodec({
        codec: createPayloadCodec([first, ...others]),
        port,
        origins: origins.map((address) => new URL(address).origin),
      });
      context.print(
        `Payloads are decrypted at ${endpoint.url} until Ctrl-C, for ${origins.join(', ') || 'no page'} and for \`temporal ... --codec-endpoint ${endpoint.url}\`.\nIn the Temporal UI, enter this address under "Codec Server", at the top right.`,
      );
      if (!signal.aborted) await once(signal, 'abort');
      await endpoint.close();
    });
}
