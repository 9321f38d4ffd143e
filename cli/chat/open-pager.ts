import { spawn } from 'node:child_process';

/**
 * Shows a text in the person's pager (`PAGER`, else `less`) until they leave it, and says whether there is one. The terminal must not be read
 * meanwhile.
 */
export async function openPager(text: string, environment: Record<string, string | undefined>): Promise<boolean> {
  const pager = spawn(environment.PAGER || 'less', {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', ...environment },
  });
  const stay = () => {}; // Ctrl-C is for the pager
  process.on('SIGINT', stay);
  pager.stdin.on('error', () => {}); // it was left before the end of the text
  pager.stdin.end(text);
  const exitCode = await new Promise<number | null>((resolve) => {
    pager.on('error', () => resolve(notFound));
    pager.on('close', resolve);
  });
  process.off('SIGINT', stay);
  return exitCode !== notFound;
}

/** A shell's exit code if there is no such command. */
const notFound = 127;
