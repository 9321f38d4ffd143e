import { createInterface } from 'node:readline';
import type { CommandContext } from '../program/command-context.ts';
import { printable } from '../render/printable.ts';
import { isChatCommand } from './chat-commands.ts';
import { createInputLine } from './input-line.ts';
import { createMutableOutput } from './mutable-output.ts';

/** Lines of one paste arrive within this many milliseconds if the terminal does not mark pastes; no person types so fast. */
const pastePause = 25;
/** Control sequences that switch the marking of pastes on and off. */
const enablePasteMarks = '\u001b[?2004h';
const disablePasteMarks = '\u001b[?2004l';

export interface MessageInput {
  /** Writes above the typed text. */
  write(text: string): void;
  /** Shows the prompt. */
  show(): void;
  /** Shows the prompt again if the cursor cannot be moved. */
  showAgain(): void;
  /** Messages no longer on the screen that wait for earlier answers. */
  setWaiting(count: number): void;
  close(): void;
}

export interface MessageListener {
  /** One line, or several that end with a backslash or were pasted together. `isGone`: it is no longer on the screen. */
  onMessage(text: string, isGone: boolean): void;
  /** Ctrl-C with nothing typed. */
  onInterrupt(): void;
  onEnd(): void;
}

/** Reads what a person types, with a line editor and a history on a terminal. */
export function readMessages(
  { stdin, stdout, environment }: Pick<CommandContext, 'stdin' | 'stdout' | 'environment'>,
  { onMessage, onInterrupt, onEnd }: MessageListener,
  { said = [] }: { said?: string[] } = {},
): MessageInput {
  const moves = stdout.isTTY === true && environment.TERM !== 'dumb';
  // One line each, the latest first, for the arrows.
  const history = said.map((text) => printable(text.replace(/\s*\n\s*/g, ' '))).reverse();
  const screen = createMutableOutput(stdout);
  const output = moves ? { output: screen, terminal: true } : { output: stdout };
  const terminal = createInterface({ input: stdin, ...output, historySize: 500, prompt: '> ', history });
  const line = createInputLine(terminal, stdout, { moves, muted: screen.muted });
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isPasting = false;
  /** The last line was typed with a backslash at its end, which stands for a line break; pasted lines have their own. */
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
    // Before the line editor handles the key.
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
