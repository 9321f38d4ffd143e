import { createInterface, type Interface } from 'node:readline';
import type { CommandContext } from '../command-context.ts';

/** Lines of one paste arrive within this time; no person types so fast. Milliseconds. */
const pastePause = 25;

export interface MessageInput {
  terminal: Interface;
  close(): void;
}

export interface MessageListener {
  /** What was typed: one line, or several that end with a backslash or were pasted together. */
  onMessage(text: string): void;
  onInterrupt(): void;
  onEnd(): void;
}

/** Reads what a person types, with a line editor and a history where there is a terminal. */
export function readMessages(
  { stdin, stdout }: Pick<CommandContext, 'stdin' | 'stdout'>,
  { onMessage, onInterrupt, onEnd }: MessageListener,
): MessageInput {
  const terminal = createInterface({ input: stdin, output: stdout, historySize: 500, prompt: '> ' });
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    if (lines.at(-1)?.endsWith('\\')) {
      terminal.setPrompt('… ');
      terminal.prompt();
      return;
    }
    const text = joinLines(lines);
    lines = [];
    terminal.setPrompt('> ');
    onMessage(text);
  }

  terminal.on('line', (line) => {
    lines.push(line);
    clearTimeout(timer);
    timer = setTimeout(flush, pastePause);
  });
  terminal.on('SIGINT', () => {
    lines = [];
    terminal.setPrompt('> ');
    onInterrupt();
  });
  terminal.on('close', () => {
    if (timer) {
      clearTimeout(timer);
      flush();
    }
    onEnd();
  });
  return { terminal, close: () => terminal.close() };
}

/** The lines as one message; a backslash at the end of one stands for its line break. */
export function joinLines(lines: string[]): string {
  return lines.map((line, index) => (index < lines.length - 1 ? line.replace(/\\$/, '') : line)).join('\n');
}
