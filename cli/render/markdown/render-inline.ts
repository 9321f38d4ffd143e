import type { Token, Tokens } from 'marked';
import { printable } from '../printable.ts';
import type { Colors } from '../style.ts';

/** Renders words with their emphasis, as text that is still to be wrapped. */
export function renderInline(tokens: Token[] | undefined, colors: Colors): string {
  return (tokens ?? []).map((token) => renderToken(token, colors)).join('');
}

/** The words of a text token, which the parser leaves as they are written. */
export function wordsOf(text: string): string {
  return printable(text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')).replaceAll(
    '\t',
    ' ',
  );
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

function renderToken(token: Token, colors: Colors): string {
  const inner = () => ('tokens' in token ? renderInline(token.tokens, colors) : wordsOf(token.raw));
  switch (token.type) {
    case 'strong':
      return colors.bold(inner());
    case 'em':
      return colors.italic(inner());
    case 'del':
      return colors.strikethrough(inner());
    case 'codespan': {
      const code = wordsOf((token as Tokens.Codespan).text);
      return colors.isColorSupported ? colors.cyan(code) : `\`${code}\``;
    }
    case 'br':
      return '\n';
    case 'link':
      return renderLink(token as Tokens.Link, inner(), colors);
    case 'image':
      return renderLink(token as Tokens.Image, `[${wordsOf(token.text || 'image')}]`, colors);
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? inner() : wordsOf(token.text);
    default:
      // Of HTML, which is text like any other, models use this in tables.
      return /^<br\s*\/?>$/i.test(token.raw) ? '\n' : wordsOf(token.raw);
  }
}

/** The address stays visible: a terminal cannot be trusted to show where a link leads. */
function renderLink({ href, text }: { href: string; text: string }, words: string, { blue, dim }: Colors): string {
  const address = wordsOf(href);
  const isSame = text === href || `mailto:${text}` === href;
  return isSame ? blue(address) : `${blue(words)} ${dim(`(${address})`)}`;
}
