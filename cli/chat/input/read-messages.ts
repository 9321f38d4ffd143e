import { createInterface } from 'node:readline';
import type { Transform } from 'node:stream';
import type { CommandContext } from '../../program/command-context.ts';
import { truncate } from '../../render/columns.ts';
import { printable, printableLine } from '../../render/printable.ts';
import { terminalSize } from '../../render/style.ts';
import { isChatCommand } from '../chat-commands.ts';
import { type Completions, commonStart } from './complete.ts';
import { createInputLine, type InputLine } from './input-line.ts';
import { createMutableOutput } from './mutable-output.ts';
import { createPasteFilter } from './paste-filter.ts';
import { createPastes } from './pastes.ts';

/** Lines of one paste arrive within this many milliseconds if the terminal does not mark pastes; no person types so fast. */
const pastePause = 25;
/** Control sequences that switch the marking of pastes on and off. */
const enablePasteMarks = '\u001b[?2004h';
const disablePasteMarks = '\u001b[?2004l';

export interface MessageInput extends Pick<InputLine, 'write' | 'setLive' | 'mark' | 'erase' | 'show' | 'setWaiting'> {
  /** Whether the cursor can be moved, so that there are live lines. */
  readonly moves: boolean;
  /** Shows the prompt again if the cursor cannot be moved. */
  showAgain(): void;
  /** Leaves keyboard and screen to another program until its end. */
  lend(work: () => Promise<void>): Promise<void>;
  close(): void;
}

export interface MessageListener {
  /**
   * One line, or several that end with a backslash or were pasted together. `isGone`: it is no longer on the screen. `typed` has a few words in the
   * place of long pastes.
   */
  onMessage(text: string, isGone: boolean, typed: string): void;
  /** Ctrl-C with nothing typed. */
  onInterrupt(): void;
  /** Ctrl-O: the last result is to be shown in full. */
  onOpen(): void;
  onEnd(): void;
  /** What may stand in the place of the word before the cursor. */
  complete(line: string): Promise<Completions>;
}

/** Reads what a person types, with a line editor and a history on a terminal whose cursor `moves`. */
export function readMessages(
  { stdin, stdout }: Pick<CommandContext, 'stdin' | 'stdout'>,
  { onMessage, onInterrupt, onOpen, onEnd, complete }: MessageListener,
  { said = [], moves }: { said?: string[]; moves: boolean },
): MessageInput {
  // One line each, the latest first, for the arrows.
  const history = said.map((text) => printable(text.replace(/\s*\n\s*/g, ' '))).reverse();
  const screen = createMutableOutput(stdout);
  const pastes = createPastes();
  const keys = createPasteFilter(pastes.shorten);
  const completer = (text: string, done: (error: null, found: [string[], string]) => void) => {
    completeWord(text).then(
      (found) => done(null, found),
      (error: Error) => {
        line.setHint(truncate(printableLine(error.message), terminalSize(stdout).columns));
        done(null, [[], text]);
      },
    );
  };
  const ends = moves
    ? { input: typed(keys, stdin), output: screen, terminal: true, completer }
    : { input: stdin, output: stdout };
  const terminal = createInterface({ ...ends, historySize: 500, prompt: '> ', history });
  const line = createInputLine(terminal, stdout, { moves, muted: screen.muted });
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isPasting = false;
  /** The last line was typed with a backslash at its end, which stands for a line break; pasted lines have their own. */
  let goesOn = false;
  let isOver = false;

  const resetTerminal = () => void stdout.write(disablePasteMarks);

  /** What the line editor is to insert; several candidates are shown below, as its own list would stand in the way of the answer. */
  async function completeWord(text: string): Promise<[string[], string]> {
    const { word, hits } = await complete(text);
    if (hits.length > 1) line.setHint(describeHits(hits, terminalSize(stdout).columns));
    const start = commonStart(hits);
    return start.length > word.length ? [[start], word] : [[], word];
  }

  function flush(): void {
    timer = undefined;
    if (goesOn) return;
    const text = lines.join('\n');
    lines = [];
    const isGone = line.take();
    onMessage(pastes.expand(text), isGone, text);
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
    keys.prependListener('keypress', (_, key?: { name?: string; ctrl?: boolean }) => {
      if (key?.name === 'paste-start') isPasting = true;
      if (key?.name === 'paste-end') isPasting = false;
      if (key?.ctrl && key.name === 'o') onOpen();
      line.pressing(key?.name);
    });
  }
  return {
    ...line,
    moves,
    showAgain() {
      if (!moves && !isOver) line.show();
    },
    async lend(work) {
      line.suspend();
      stdin.unpipe(keys);
      stdin.pause();
      stdin.setRawMode?.(false);
      try {
        await work();
      } finally {
        if (!isOver) {
          stdin.setRawMode?.(true);
          stdin.pipe(keys);
          line.resume();
        }
      }
    },
    close() {
      isOver = true;
      line.end();
      terminal.close();
      if (!moves) return;
      stdin.unpipe(keys);
      stdin.pause();
      process.off('exit', resetTerminal);
      resetTerminal();
    },
  };
}

/** A terminal's keys behind a filter, for the line editor, which sets the terminal's mode. */
function typed(keys: Transform, stdin: NodeJS.ReadStream): Transform {
  stdin.pipe(keys);
  return Object.assign(keys, { setRawMode: (mode: boolean) => stdin.setRawMode?.(mode) });
}

/** The candidates in one line. */
function describeHits(hits: string[], width: number): string {
  const names = hits.map((hit) => printableLine(hit.replace(/^@.*\/(?=.)/, '')));
  return truncate(names.join('  '), width);
}
