import type { Token } from 'marked';
import { printable } from '../printable.ts';
import type { Colors } from '../style.ts';
import { createHighlight, type Highlight } from './highlight-code.ts';
import { renderBlocks } from './render-blocks.ts';

/** Renders Markdown that models wrote for a terminal: without control characters, and with no line wider than the terminal. */
export interface Markdown {
  render(text: string, width: number): string[];
  /** Splits text that is still arriving after its last block that no further line can change. */
  split(text: string): { finished: string; open: string };
}

/** Loads the parser; the highlighter is loaded with the first code. */
export async function loadMarkdown(colors: Colors): Promise<Markdown> {
  const { lexer } = await import('marked');
  return createMarkdown((text) => lexer(text), { colors, highlight: createHighlight(colors) });
}

function createMarkdown(lex: (text: string) => Token[], style: { colors: Colors; highlight: Highlight }): Markdown {
  return {
    render: (text, width) => renderBlocks(lex(printable(text)), { ...style, width }),
    split(text) {
      // A line that is not complete may become anything: "1" becomes a list, "-" a heading.
      const complete = text.slice(0, text.lastIndexOf('\n') + 1);
      const blocks = lex(complete);
      const last = blocks.findLastIndex(({ type }) => type !== 'space');
      const finished = blocks
        .slice(0, Math.max(0, last))
        .map(({ raw }) => raw)
        .join('');
      return complete.startsWith(finished)
        ? { finished, open: text.slice(finished.length) }
        : { finished: '', open: text };
    },
  };
}
