import type { Interface } from 'node:readline';
import { advance } from '../text/advance.ts';

/** What is written stands above what is being typed, which is taken off the screen before and put back behind it. */
export interface InputLine {
  /** Text that may end in the middle of a line; what is written next goes on there. */
  write(text: string): void;
  /** Shows what is being typed, from now on. */
  show(): void;
  /** Enter was pressed, and the line is not taken yet. */
  entering(): void;
  /** A line was entered; where the message `goesOn`, the next one is shown. */
  enter(line: string, options: { goesOn: boolean }): void;
  /** The message is complete; true where it was taken off the screen, since it stood in the middle of a line that is being written. */
  take(): boolean;
  /** Throws away what is being typed; false where there is nothing. */
  clear(): boolean;
  /** How many messages were taken off the screen and wait to be written there. */
  setWaiting(count: number): void;
  /** Nothing is typed any more. */
  end(): void;
}

const promptToGoOn = '… ';

/** `moves`: the cursor can be moved; where it cannot, what is written goes where it goes. */
export function createInputLine(
  terminal: Interface,
  output: Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'on'> & { write(text: string): unknown },
  { moves }: { moves: boolean },
): InputLine {
  let shown = false;
  let prompt = '> ';
  /** Lines of the message that were entered, as they stand on the screen. */
  let entered: string[] = [];
  /** Where what is written ended, in its last line; 0 where that is complete. */
  let column = 0;
  /** That line filled the screen's width, so that the next one has begun by itself. */
  let isFull = false;
  /** What cannot be written while a line is typed that is taller than the screen. */
  let heldBack = '';
  output.on('resize', () => {
    column = 0; // where it stands now is not known
  });

  const width = () => output.columns || 80;
  const cursorRows = () => (shown ? terminal.getCursorPos().rows : 0);
  const columnsOf = (line: string) => advance(0, line, Number.POSITIVE_INFINITY);
  // Of a line that fills the width, readline goes on in the next one.
  const rowsOf = (line: string) => Math.floor(columnsOf(line) / width()) + 1;
  const drawn = (line: string) => `${line}${line && columnsOf(line) % width() === 0 ? ' ' : ''}\n`;
  /** Rows that what is typed may take, below one of what is written. */
  const mostRows = () => Math.max(1, (output.rows || 24) - 2);
  const enteredRows = () => entered.reduce((sum, line) => sum + rowsOf(line), 0);

  /** Control sequences that take off all that is being typed; the cursor is then below what is written. */
  const takeOff = (rows: number) => `${intoNextRow()}\r${rows > 0 ? `\u001b[${rows}A` : ''}\u001b[J`;

  /** Text that fills a row, and came in one piece, has its cursor still in that row, and counts as being in the next. */
  function intoNextRow(): string {
    const { rows, cols } = terminal.getCursorPos();
    return shown && rows > 0 && cols === 0 ? ' ' : '';
  }

  /** Draws what is being typed where the cursor is. */
  function draw(): void {
    // Where its cursor was before; of text that comes in one piece readline has not counted that.
    (terminal as { prevRows?: number }).prevRows = 0;
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
    if (cursorRows() >= mostRows()) {
      // The end of what is written is above the screen, so that it goes on in a line of its own.
      heldBack += given;
      column = 0;
      return;
    }
    const height = cursorRows() + enteredRows();
    if (height > mostRows()) {
      column = 0;
      entered = [`${promptToGoOn}${entered.length} lines`];
    }
    const back = column > 0 ? `\u001b[1A\u001b[${column}C` : '';
    const off = takeOff(Math.min(height, mostRows()));
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
      entered = []; // where they are not in the way, they stay as what was said
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
