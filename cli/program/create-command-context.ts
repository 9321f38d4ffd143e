import { withCommandName } from '../../config/command-name.ts';
import { withEnvFile } from '../../config/environment.ts';
import { printable, printableJson } from '../render/printable.ts';
import type { CommandContext, CommandLine } from './command-context.ts';

/** Everything is loaded and connected only when a command asks for it, so that `--help` stays fast. */
export function createCommandContext(
  line: CommandLine,
  control: Pick<CommandContext, 'interruptSignal' | 'setExitCode'>,
): CommandContext {
  const environment = withEnvFile(line.environment, line.folder);
  async function configuration() {
    const { readConfiguration } = await import('../../config/configuration.ts');
    return readConfiguration(environment);
  }
  async function configurationWithFile() {
    const { loadConfiguration } = await import('../../config/load-configuration.ts');
    return loadConfiguration(environment, () => import('../../models/index.ts'));
  }
  const named = (text: string) => withCommandName(text, environment);
  return {
    ...control,
    environment,
    folder: line.folder,
    get stdin() {
      return line.stdin;
    },
    get stdout() {
      return line.stdout;
    },
    get stderr() {
      return line.stderr;
    },
    configuration,
    configurationWithFile,
    withCommandName: named,
    async withLonghaul(work) {
      const { connectLonghaul } = await import('../../client/longhaul.ts');
      const longhaul = await connectLonghaul({ environment });
      try {
        return await work(longhaul);
      } finally {
        await longhaul.close();
      }
    },
    print: (text) => void line.stdout.write(`${text}\n`),
    printMessage: (text) => void line.stdout.write(`${named(text)}\n`),
    printJson: (value) => void line.stdout.write(`${printableJson(value, 2)}\n`),
    writeText: (text) => void line.stdout.write(line.stdout.isTTY ? printable(text) : text),
    note: (text) => void line.stderr.write(`${printable(named(text))}\n`),
  };
}
