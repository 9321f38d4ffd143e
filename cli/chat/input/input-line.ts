import type { Interface } from 'node:readline';
import { advance } from '../../render/advance.ts';
import { terminalSize } from '../../render/style.ts';

/** Keeps live lines and the text being typed below the output: they are erased before output is written and redrawn after it. */
export interface InputLine {
  /** Writes whole lines, and below them other live lines if given; where the cursor cannot be moved, any text. */
  write(text: string, live?: string[]): void;
  /** Replaces the live lines between the output and the typed text; none may be wider than the screen. */
  setLive(lines: string[]): void;
  /** Shows a line below the live ones until the next key. */
  setHint(line: string): void;
  /** What is written from now on can be erased. */
  mark(): void;
  /** Erases what was written since the mark; false if it is no longer within reach, so that it stays. */
  erase(): boolean;
  /** Shows the text being typed from now on. */
  show(): void;
  /** A key was pressed, but is not handled yet. */
  pressing(key: string | undefined): void;
  /** A line was entered; with `goesOn` the message continues, and the prompt for its next line is shown. */
  enter(line: string, options: { goesOn: boolean }): void;
  /** The message is complete. True if it was erased from the screen because an answer is being written above it. */
  take(): boolean;
  /** Discards the text being typed; false if there is none. */
  clear(): boolean;
  /** Sets how many messages were erased from the screen and are still to be shown there. */
  setWaiting(count: number): void;
  /** Leaves the screen to another program until `resume`; output is kept until then. */
  suspend(): void;
  resume(): void;
  /** Nothing will be typed any more. */
  end(): void;
}

const promptToGoOn = '… ';
/** A terminal that knows them shows what is between them at once. */
const [beginUpdate, endUpdate] = ['\u001b[?2026h', '\u001b[?2026l'];

/**
 * `moves`: whether the cursor can be moved; if not, there are no live lines, and output is written wherever the cursor is. `muted`: runs an action
 * while readline's output is dropped.
 */
export function createInputLine(
  terminal: Interface,
  output: Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'on'> & { write(text: string): unknown },
  { moves, muted }: { moves: boolean; muted(action: () => void): void },
): InputLine {
  let shown = false;
  let prompt = '> ';
  /** The lines of the message entered so far, as they appear on the screen. */
  let entered: string[] = [];
  let live: string[] = [];
  let hint: string[] = [];
  /** The live lines and the hint, as far as they are on the screen. */
  let drawn: string[] = [];
  /** Rows written since the mark; undefined if they cannot be counted. */
  let written: number | undefined;
  /** Output that cannot be written now, as the typed line is taller than the screen or another program has the screen. */
  let heldBack = '';
  let isSuspended = false;
  output.on('resize', () => {
    written = undefined;
  });

  const width = () => terminalSize(output).columns;
  const cursorRows = () => (shown ? terminal.getCursorPos().rows : 0);
  const columnsOf = (line: string) => advance(0, line, Number.POSITIVE_INFINITY);
  const rowsOf = (line: string) => Math.max(1, Math.ceil(columnsOf(line) / width()));
  // After a typed line that exactly fills the width, readline continues in the next row.
  const rowsOfTyped = (line: string) => Math.floor(columnsOf(line) / width()) + 1;
  const echo = (line: string) => `${line}${line && columnsOf(line) % width() === 0 ? ' ' : ''}\n`;
  /** Maximum rows below the output, of which one row stays in sight. */
  const maxRows = () => Math.max(1, terminalSize(output).rows - 2);
  const sum = (lines: string[], rows: (line: string) => number) => lines.reduce((total, line) => total + rows(line), 0);
  const typedRows = () => sum(entered, rowsOfTyped) + cursorRows();
  const rowsBelow = () => sum(drawn, rowsOf) + typedRows();

  /** Control sequences that erase so many rows above the cursor's and everything below them, leaving the cursor there. */
  const takeOff = (rows: number) => `${intoNextRow()}\r${rows > 0 ? `\u001b[${rows}A` : ''}\u001b[J`;

  /** Typed text that fills a row and arrived in one piece leaves the cursor in that row, while readline counts it as being in the next. */
  function intoNextRow(): string {
    const { rows, cols } = terminal.getCursorPos();
    return shown && rows > 0 && cols === 0 ? ' ' : '';
  }

  /** Draws the text being typed at the cursor. */
  function draw(): void {
    // readline's record of its cursor's row is not up to date for text that arrived in one piece.
    muted(() => terminal.prompt(true));
    // readline first moves up by that many rows.
    output.write('\n'.repeat(terminal.getCursorPos().rows));
    terminal.prompt(true);
  }

  /**
   * Writes text above what is live and typed, over the last `over` rows; `change` happens while that is off the screen. `isOff`: it is off the screen
   * already.
   */
  function place(
    text: string,
    { over = 0, isOff = false, change = () => {} }: { over?: number; isOff?: boolean; change?: () => void } = {},
  ): void {
    if (isSuspended || cursorRows() >= maxRows()) {
      heldBack += text;
      change();
      return;
    }
    const given = heldBack + text;
    heldBack = '';
    const off = isOff ? '' : takeOff(Math.min(rowsBelow() + over, maxRows() + 1));
    if (typedRows() > maxRows()) entered = [`${promptToGoOn}${entered.length} lines`];
    change();
    const room = maxRows() - typedRows();
    drawn = room > 0 ? [...live, ...hint].slice(-room) : [];
    if (written !== undefined) written += sum(given.split('\n').slice(0, -1), rowsOf) - over;
    output.write(
      `${beginUpdate}${off}${given}${drawn.map((line) => `${line}\n`).join('')}${entered.map(echo).join('')}`,
    );
    if (shown) draw();
    output.write(endUpdate);
  }

  return {
    write(text, below = live) {
      if (!moves) return void output.write(text);
      live = below;
      place(text);
    },
    setLive(lines) {
      const isSame = lines.length === live.length && lines.every((line, index) => line === live[index]);
      live = moves ? lines : [];
      if (moves && !isSame) place('');
    },
    setHint(line) {
      hint = line ? [line] : [];
      if (moves) place('');
    },
    mark() {
      written = 0;
    },
    erase() {
      if (!moves || written === undefined || isSuspended) return false;
      if (rowsBelow() + written > maxRows() + 1 || cursorRows() >= maxRows()) return false;
      place('', { over: written });
      return true;
    },
    show() {
      shown = moves;
      if (isSuspended) return;
      terminal.prompt();
    },
    pressing(key) {
      if (!moves) return;
      if (hint.length && key !== 'tab') {
        hint = [];
        place('');
      }
      if (key === 'return' || key === 'enter') output.write(intoNextRow());
    },
    enter(line, { goesOn }) {
      if (moves) entered.push(`${terminal.getPrompt()}${line}`);
      terminal.setPrompt(promptToGoOn);
      shown = moves && goesOn;
      if (goesOn) terminal.prompt();
    },
    take() {
      const isInTheWay = live.length > 0;
      if (isInTheWay) {
        place('', {
          change: () => {
            entered = [];
          },
        });
      }
      if (entered.length) written = undefined; // they stay on the screen as the message
      entered = [];
      terminal.setPrompt(prompt);
      return isInTheWay;
    },
    clear() {
      if (!moves || (entered.length === 0 && terminal.line === '')) return false;
      output.write(takeOff(typedRows()));
      entered = [];
      terminal.setPrompt(prompt);
      draw();
      terminal.write(null, { ctrl: true, name: 'e' });
      terminal.write(null, { ctrl: true, name: 'u' });
      terminal.prompt();
      return true;
    },
    setWaiting(count) {
      const before = prompt;
      prompt = count === 0 ? '> ' : `(${count} waiting) > `;
      if (terminal.getPrompt() !== before || before === prompt) return;
      if (shown && !isSuspended) output.write(takeOff(cursorRows()));
      terminal.setPrompt(prompt);
      if (shown && !isSuspended) draw();
    },
    suspend() {
      if (moves) output.write(takeOff(rowsBelow()));
      drawn = [];
      isSuspended = true;
      written = undefined;
    },
    resume() {
      isSuspended = false;
      if (moves) place('', { isOff: true });
    },
    end() {
      if (moves && !isSuspended) output.write(takeOff(Math.min(rowsBelow(), maxRows())));
      shown = false;
      isSuspended = false;
      [entered, live, hint, drawn] = [[], [], [], []];
      if (heldBack) place('');
    },
  };
}
