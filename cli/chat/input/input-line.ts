import type { Interface } from 'node:readline';
import { advance } from '../render/advance.ts';
import { terminalSize } from '../render/style.ts';

/** Keeps the text being typed below the output: it is erased before output is written and redrawn after it. */
export interface InputLine {
  /** Writes text that may end in the middle of a line, which the next write continues. */
  write(text: string): void;
  /** Shows the text being typed from now on. */
  show(): void;
  /** Enter was pressed, but the line is not accepted yet. */
  entering(): void;
  /** A line was entered; with `goesOn` the message continues, and the prompt for its next line is shown. */
  enter(line: string, options: { goesOn: boolean }): void;
  /** The message is complete. True if it was erased from the screen because it interrupted a line still being written. */
  take(): boolean;
  /** Discards the text being typed; false if there is none. */
  clear(): boolean;
  /** Sets how many messages were erased from the screen and are still to be shown there. */
  setWaiting(count: number): void;
  /** Nothing will be typed any more. */
  end(): void;
}

const promptToGoOn = '… ';

/**
 * `moves`: whether the cursor can be moved; if not, output is written wherever the cursor is. `muted`: runs an action while readline's output is dropped.
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
  /** The column where the last line of output ended; 0 if that line is complete. */
  let column = 0;
  /** Whether that line filled the screen's width, so that the terminal has already wrapped to the next. */
  let isFull = false;
  /** Output that cannot be written while the line being typed is taller than the screen. */
  let heldBack = '';
  output.on('resize', () => {
    column = 0; // its position is now unknown
  });

  const width = () => terminalSize(output).columns;
  const cursorRows = () => (shown ? terminal.getCursorPos().rows : 0);
  const columnsOf = (line: string) => advance(0, line, Number.POSITIVE_INFINITY);
  // After a line that exactly fills the width, readline continues in the next row.
  const rowsOf = (line: string) => Math.floor(columnsOf(line) / width()) + 1;
  const drawn = (line: string) => `${line}${line && columnsOf(line) % width() === 0 ? ' ' : ''}\n`;
  /** Maximum rows of typed text, which leaves one row of output above it. */
  const maxRows = () => Math.max(1, terminalSize(output).rows - 2);
  const enteredRows = () => entered.reduce((sum, line) => sum + rowsOf(line), 0);

  /** Control sequences that erase everything being typed, leaving the cursor just below the output. */
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

  function write(piece: string): void {
    const given = heldBack + piece;
    heldBack = '';
    const text = isFull && given.startsWith('\n') ? given.slice(1) : given;
    if (given) isFull = false;
    if (!moves || (!shown && entered.length === 0)) {
      output.write(text);
      column = advance(column, text, width());
      return;
    }
    if (cursorRows() >= maxRows()) {
      // The end of the output has scrolled off the screen, so further output starts on a new line.
      heldBack += given;
      column = 0;
      return;
    }
    const height = cursorRows() + enteredRows();
    if (height > maxRows()) {
      column = 0;
      entered = [`${promptToGoOn}${entered.length} lines`];
    }
    const back = column > 0 ? `\u001b[1A\u001b[${column}C` : '';
    const off = takeOff(Math.min(height, maxRows()));
    column = advance(column, text, width());
    output.write(`${off}${back}${text}${column > 0 ? '\n' : ''}${entered.map(drawn).join('')}`);
    isFull = column === width();
    if (isFull) column = 0;
    if (shown) draw();
  }

  return {
    write,
    show() {
      if (moves && column > 0 && !shown) output.write('\n');
      shown = moves;
      terminal.prompt();
    },
    entering() {
      if (moves) output.write(intoNextRow());
    },
    enter(line, { goesOn }) {
      if (moves) entered.push(`${terminal.getPrompt()}${line}`);
      terminal.setPrompt(promptToGoOn);
      shown = moves && goesOn;
      if (goesOn) terminal.prompt();
    },
    take() {
      const isInTheWay = column > 0;
      if (isInTheWay && moves) output.write(`${takeOff(enteredRows())}\u001b[1A\u001b[${column}C`);
      entered = []; // unless in the way, they stay on screen as the message
      terminal.setPrompt(prompt);
      return isInTheWay && moves;
    },
    clear() {
      if (!moves || (entered.length === 0 && terminal.line === '')) return false;
      output.write(takeOff(cursorRows() + enteredRows()));
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
      if (shown) output.write(takeOff(cursorRows()));
      terminal.setPrompt(prompt);
      if (shown) draw();
    },
    end() {
      if (shown) output.write(takeOff(cursorRows() + enteredRows()));
      shown = false;
      entered = [];
      write('');
    },
  };
}
