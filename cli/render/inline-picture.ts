import { readFileSync } from 'node:fs';
import { terminalSize } from './style.ts';

/** Bytes of the largest picture that is shown: a terminal holds it in memory. */
const maxBytes = 5 * 1024 ** 2;
/** Characters of a piece of a picture, of which kitty takes at most 4,096. */
const pieceLength = 4_096;

/**
 * What a terminal writes to show a PNG file: by kitty's protocol (kitty, Ghostty), iTerm's (iTerm2, WezTerm, VS Code) or as sixel (foot, mlterm,
 * Contour, and where LONGHAUL_SIXEL is set). Undefined for other terminals, and for a file that is not on this machine.
 */
export async function inlinePicture(
  path: string,
  {
    stdout,
    environment,
  }: { stdout: { isTTY?: boolean; columns?: number }; environment: Record<string, string | undefined> },
): Promise<string | undefined> {
  const protocol = stdout.isTTY ? protocolOf(environment) : undefined;
  const content = protocol && readPng(path);
  if (!content) return undefined;
  if (protocol === 'sixel') return (await import('./sixel-picture.ts')).sixelPicture(content, terminalSize(stdout));
  const data = content.toString('base64');
  if (protocol === 'iterm') return `\u001b]1337;File=inline=1;size=${content.length}:${data}\u0007\n`;
  const pieces = data.match(new RegExp(`.{1,${pieceLength}}`, 'g')) ?? [];
  const written = pieces.map((piece, index) => {
    const keys = `${index === 0 ? 'a=T,f=100,q=2,' : ''}m=${index === pieces.length - 1 ? 0 : 1}`;
    return `\u001b_G${keys};${piece}\u001b\\`;
  });
  return `${written.join('')}\n`;
}

function protocolOf({
  TERM,
  TERM_PROGRAM,
  LC_TERMINAL,
  KITTY_WINDOW_ID,
  TMUX,
  MLTERM,
  LONGHAUL_SIXEL,
}: Record<string, string | undefined>): 'kitty' | 'iterm' | 'sixel' | undefined {
  if (LONGHAUL_SIXEL) return 'sixel';
  if (TMUX || TERM?.startsWith('screen')) return undefined; // it would have to be told to pass them on
  if (TERM === 'xterm-kitty' || TERM_PROGRAM === 'ghostty' || KITTY_WINDOW_ID) return 'kitty';
  const isITerm = ['iTerm.app', 'WezTerm', 'vscode'].includes(TERM_PROGRAM ?? '') || LC_TERMINAL === 'iTerm2';
  if (isITerm) return 'iterm';
  return MLTERM || /^(foot|mlterm|contour)\b/.test(TERM ?? '') ? 'sixel' : undefined;
}

function readPng(path: string): Buffer | undefined {
  try {
    const content = readFileSync(path);
    return content.length <= maxBytes && content.toString('latin1', 1, 4) === 'PNG' ? content : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // the worker is on another machine
    throw error;
  }
}
