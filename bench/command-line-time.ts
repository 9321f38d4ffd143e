import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';
import { alternate } from './alternate.ts';
import { compare, type Measurement } from './measurement.ts';
import type { BenchStack } from './stack/bench-stack.ts';

const rounds = 15;

/** The command line compared with Node itself, each in a process of its own. */
export async function measureCommandLine(stack: BenchStack): Promise<Measurement[]> {
  const longhaul = join(packageRoot(), 'bin', 'longhaul.cjs');
  const run = (...parameters: string[]) => runNode(parameters, { LONGHAUL_HOME: stack.home });
  const times = await alternate(rounds, stack.signal, {
    bare: () => run('-e', '0'),
    help: () => run(longhaul, '--help'),
    status: () => run(longhaul, 'status', stack.projectId),
  });
  return [
    compare('longhaul --help against node -e 0', times.help, times.bare, { most: 3 }),
    compare('longhaul status', times.status, times.bare),
  ];
}

async function runNode(parameters: string[], environment: Record<string, string | undefined>): Promise<void> {
  const child = spawn(process.execPath, parameters, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Expected node ${parameters.join(' ')} to exit with 0, got ${code}.`);
}
