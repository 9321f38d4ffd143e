import { ClientError } from '../../client/errors.ts';
import { withEnvFile } from '../../config/environment.ts';
import { createLonghaul } from '../../runtime/create-longhaul.ts';
import { loadAgent } from '../../runtime/load-agent.ts';
import type { CommandContext } from '../program/command-context.ts';
import { findCode, listCode } from './find-agent-code.ts';

/** Takes runs of the named agents, or of all that can be named, until Ctrl-C. */
export async function takeRuns(
  context: CommandContext,
  named: string[],
  options: { metrics?: string; concurrency?: number },
): Promise<void> {
  const files = named.length
    ? await Promise.all(named.map(async (one) => (await findCode(context, one)) ?? refuse(one)))
    : await listCode(context);
  if (!files.length)
    throw new ClientError('InvalidInput', 'Expected agents with code, found none. Name the folder of one.');
  const agents = await Promise.all(files.map(loadAgent));
  const configuration = await context.configurationWithFile();
  const longhaul = await createLonghaul({
    ...options,
    agents,
    configuration,
    environment: withEnvFile(context.environment),
  });
  const keys = agents.map(({ key }) => key).join(', ');
  try {
    await longhaul.work({
      signal: context.interruptSignal(),
      onReady: () => context.note(`Takes runs of ${keys}. Ctrl-C stops it.`),
    });
  } finally {
    await longhaul.close();
  }
}

function refuse(reference: string): never {
  throw new ClientError('InvalidInput', `Expected the folder, file or name of an agent with code, got "${reference}".`);
}
