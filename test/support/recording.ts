import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/** A command of a page and what it prints there; a line `...` stands for lines that are left out. */
export interface RecordedCommand {
  command: string;
  printed: string[];
}

/** The commands in the `console` blocks of a page, each with a `$` before it. */
export function readRecording(page: string): RecordedCommand[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block.split(/^\$ /m).flatMap((part) => {
      const [command, ...printed] = part.trimEnd().split('\n');
      return command ? [{ command, printed }] : [];
    }),
  );
}

/** One shell for all commands, so that `cd` and `export` hold for those that follow. */
export function openShell(environment: Record<string, string>, folder: string) {
  const shell = spawn('bash', [], { env: environment, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdin.write('exec 2>&1\n');
  let said = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  return {
    /** What the command prints on both streams, and its exit code. */
    async run(command: string): Promise<{ lines: string[]; code: number }> {
      said = '';
      shell.stdin.write(`{ ${command}\n} < /dev/null; echo "<<ended $?>>"\n`);
      for (;;) {
        const end = /<<ended (\d+)>>\n$/.exec(said);
        if (end) return { lines: linesOf(said.slice(0, end.index)), code: Number(end[1]) };
        if (shell.exitCode !== null) throw new Error(`The shell ended: ${said}`);
        await once(shell.stdout, 'data');
      }
    },
    close: () => shell.stdin.end(),
  };
}

function linesOf(text: string): string[] {
  const plain = stripVTControlCharacters(text).trimEnd();
  return plain === '' ? [] : plain.split('\n');
}

/**
 * Where what was printed departs from the recording; undefined if nowhere. Times, counts and ids may differ. `ids` learns which id stands in
 * the place of a recorded one, for commands that name it.
 */
export function compareRecording(
  recorded: readonly string[],
  printed: readonly string[],
  ids: Map<string, string>,
): string | undefined {
  let next = 0;
  let mayLeaveOut = false;
  for (const line of recorded) {
    if (line.trim() === '...') {
      mayLeaveOut = true;
      continue;
    }
    const found = printed.findIndex((one, index) => index >= next && shapeOf(one) === shapeOf(line));
    if (found < 0 || (!mayLeaveOut && found > next))
      return `Expected the line\n  ${line}\ngot\n  ${printed.slice(next).join('\n  ')}`;
    const actual = printed[found] ?? '';
    for (const [index, id] of (line.match(anyId) ?? []).entries()) ids.set(id, actual.match(anyId)?.[index] ?? id);
    next = found + 1;
    mayLeaveOut = false;
  }
  if (mayLeaveOut || next === printed.length) return undefined;
  return `Expected nothing more, got\n  ${printed.slice(next).join('\n  ')}`;
}

/** The ids of requests and commits, and the ends of the ids of projects and chats. */
const anyId = /\b[0-9a-f]{8}\b|(?<=-)[a-z0-9]{6}\b/g;

function shapeOf(line: string): string {
  return line
    .replace(anyId, 'id')
    .replace(/\d+(\.\d+)?[kM]?/g, '0')
    .replace(/\s+/g, ' ')
    .trim();
}
