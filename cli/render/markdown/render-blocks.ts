import type { Token, Tokens } from 'marked';
import { printable } from '../printable.ts';
import { type BlockStyle, cut, wrap } from './block-style.ts';
import { renderInline, wordsOf } from './render-inline.ts';
import { renderTable } from './render-table.ts';

/** Fewest columns left for the text of a nested block. */
const minWidth = 10;
const maxRule = 40;
/** Stands before each line of a quotation. */
const bar = '│ ';

/** Renders blocks with an empty line between two of them. */
export function renderBlocks(tokens: Token[], style: BlockStyle): string[] {
  return tokens
    .map((token) => renderBlock(token, style))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index ? ['', ...lines] : lines));
}

function renderBlock(token: Token, style: BlockStyle): string[] {
  const { colors, width } = style;
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return renderHeading(token as Tokens.Heading, style);
    case 'code':
      return renderCode(token as Tokens.Code, style);
    case 'blockquote':
      return behind(bar, bar, style, (inner) => renderBlocks(token.tokens ?? [], inner));
    case 'list':
      return renderList(token as Tokens.List, style);
    case 'table':
      return renderTable(token as Tokens.Table, style);
    case 'hr':
      return [colors.dim('─'.repeat(Math.min(width, maxRule)))];
    case 'paragraph':
    case 'text':
      return wrap(token.tokens ? renderInline(token.tokens, colors) : wordsOf(token.text), width);
    default:
      return wrap(wordsOf(token.raw.trimEnd()), width);
  }
}

function renderHeading({ depth, tokens }: Tokens.Heading, { colors, width }: BlockStyle): string[] {
  const words = renderInline(tokens, colors);
  if (!colors.isColorSupported) return wrap(`${'#'.repeat(depth)} ${words}`, width);
  return wrap(words, width).map((line) => colors.bold(depth === 1 ? colors.underline(line) : line));
}

/** Stands at the left edge between its fences, so that it can be copied from the screen. */
function renderCode({ lang, text }: Tokens.Code, { colors, highlight, width }: BlockStyle): string[] {
  const language = wordsOf(/^\S*/.exec(lang ?? '')?.[0] ?? '');
  const code = highlight(printable(text).replaceAll('\t', '    '), language.toLowerCase());
  const lines = code.split('\n').flatMap((line) => cut(line, width));
  return [colors.dim(`\`\`\`${language}`.slice(0, width)), ...lines, colors.dim('```')];
}

function renderList({ ordered, start, items }: Tokens.List, style: BlockStyle): string[] {
  const first = start === '' ? 1 : start;
  return items.flatMap((item, index) => {
    const mark = ordered ? `${first + index}. ` : item.task ? `[${item.checked ? 'x' : ' '}] ` : '• ';
    const blocks = item.tokens.filter(({ type }) => type !== 'checkbox');
    return behind(mark, ' '.repeat(mark.length), style, (inner) =>
      // The parts of an item stand close together, however its list is written: a list that grows must not move.
      blocks.flatMap((block) => renderBlock(block, inner)),
    );
  });
}

/** Renders in the width that a mark leaves, with the mark before the first line and `indent` before the others. */
function behind(mark: string, indent: string, style: BlockStyle, render: (inner: BlockStyle) => string[]): string[] {
  const width = style.width - mark.length;
  if (width < minWidth) return [mark.trimEnd(), ...render(style)];
  const [first = '', ...rest] = render({ ...style, width });
  return [`${mark}${first}`, ...rest.map((line) => `${indent}${line}`)];
}
