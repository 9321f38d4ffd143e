import { createInterface } from 'node:readline';
import type { CommandContext } from '../program/command-context.ts';
import { printable } from '../render/printable.ts';
import { isChatCommand } from './chat-commands.ts';
import { createInputLine } from './input-line.ts';
import { createMutableOutput } from './mutable-output.ts';

/** Lines of one paste arrive within this time, where the terminal does not tell what is pasted; no person types so fast. Milliseconds. */
const pastePause = 25;
/** Control sequences by which a terminal tells from then on what is pasted, or no longer does. */
const enablePasteMarks = '\u001b[?2004h';
const disablePasteMarks = '\u001b[?2004l';

export interface MessageInput {
  /** Writes above what is being typed. */
  write(text: string): void;
  /** Shows that something can be typed. */
  show(): void;
  /** Shows it once more where the cursor cannot be moved, so that it is not there all the time. */
  showAgain(): void;
  /** Messages that are not on the screen any more, and wait for the answers before them. */
  setWaiting(count: number): void;
  close(): void;
}

export interface MessageListener {
  /** What was typed: one line, or several that end with a backslash or were pasted together. `isGone`: it is not on the screen any more. */
  onMessage(text: string, isGone: boolean): void;
  /** Ctrl-C where nothing is typed that it would throw away. */
  onInterrupt(): void;
  onEnd(): void;
}

/** Reads what a person types, with a line editor and a history where there is a terminal. */
export function readMessages(
  { stdin, stdout, environment }: Pick<CommandContext, 'stdin' | 'stdout' | 'environment'>,
  { onMessage, onInterrupt, onEnd }: MessageListener,
  { said = [] }: { said?: string[] } = {},
): MessageInput {
  const moves = stdout.isTTY === true && environment.TERM !== 'dumb';
  // One line each, the latest first, as its arrows go through them.
  const history = said.map((text) => printable(text.replace(/\s*\n\s*/g, ' '))).reverse();
  const screen = createMutableOutput(stdout);
  const output = moves ? { output: screen, terminal: true } : { output: stdout };
  const terminal = createInterface({ input: stdin, ...output, historySize: 500, prompt: '> ', history });
  const line = createInputLine(terminal, stdout, { moves, muted: screen.muted });
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isPasting = false;
  /** The last line was typed with a backslash at its end, which stands for its line break; those of a paste are its own. */
  let goesOn = false;
  let isOver = false;

  const resetTerminal = () => void stdout.write(disablePasteMarks);

  function flush(): void {
    timer = undefined;
    if (goesOn) return;
    const text = lines.join('\n');
    lines = [];
    const isGone = line.take();
    onMessage(text, isGone);
    if (moves && !isOver) line.show();
  }

  terminal.on('line', (text) => {
    const isAlone = lines.length === 0 && isChatCommand(text);
    if (goesOn) lines.push(lines.pop()?.slice(0, -1) ?? '');
    lines.push(text);
    goesOn = !isPasting && text.endsWith('\\');
    clearTimeout(timer);
    line.enter(text, { goesOn: isPasting || goesOn });
    if (isPasting) return;
    if (isAlone) flush();
    else timer = setTimeout(flush, pastePause);
  });
  terminal.on('SIGINT', () => {
    const begun = lines.length > 0;
    lines = [];
    goesOn = false;
    clearTimeout(timer);
    if (!line.clear() && !begun) onInterrupt();
  });
  terminal.on('close', () => {
    isOver = true;
    if (timer) {
      clearTimeout(timer);
      flush();
    }
    onEnd();
  });
  if (moves) {
    stdout.write(enablePasteMarks);
    process.once('exit', resetTerminal);
    // Before the line editor does what the key asks for.
    stdin.prependListener('keypress', (_, key?: { name?: string }) => {
      if (key?.name === 'paste-start') isPasting = true;
      if (key?.name === 'paste-end') isPasting = false;
      if (key?.name === 'return' || key?.name === 'enter') line.entering();
    });
  }
  return {
    write: line.write,
    show: line.show,
    showAgain() {
      if (!moves && !isOver) line.show();
    },
    setWaiting: line.setWaiting,
    close() {
      isOver = true;
      line.end();
      terminal.close();
      if (!moves) return;
      process.off('exit', resetTerminal);
      resetTerminal();
    },
  };
}
