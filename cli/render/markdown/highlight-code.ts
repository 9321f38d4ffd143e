import { createRequire } from 'node:module';
import type { Colors } from '../style.ts';

/** Colours code of a language; code of an unknown one stays as it is. */
export type Highlight = (code: string, language: string) => string;

/** The part of highlight.js that is used. Its own types would bring those of a browser into the whole project. */
interface HighlightJs {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

type Paint = (text: string) => string;

/** A highlighter of the 37 most common languages, loaded with the first code; without colours nothing is loaded. */
export function createHighlight(colors: Colors): Highlight {
  if (!colors.isColorSupported) return (code) => code;
  const require = createRequire(import.meta.url);
  const paints = paintsOf(colors);
  let highlighter: HighlightJs | undefined;
  return (code, language) => {
    if (!language) return code;
    highlighter ??= require('highlight.js/lib/common') as HighlightJs;
    if (!highlighter.getLanguage(language)) return code;
    return paintHtml(highlighter.highlight(code, { language, ignoreIllegals: true }).value, paints);
  };
}

/** Turns the highlighter's spans into colours, line by line, so that lines can be cut apart. */
function paintHtml(html: string, paints: Record<string, Paint>): string {
  const open: Paint[] = [(text) => text];
  return html.replace(
    /<span class="hljs-([\w-]+)[^>]*>|(<\/span>)|([^<\n]+)/g,
    (_, name?: string, end?: string, text?: string) => {
      const outer = open.at(-1) ?? ((plain) => plain);
      if (name !== undefined) open.push(paints[name] ?? outer);
      if (end !== undefined) open.pop();
      return text === undefined
        ? ''
        : outer(text.replace(/&(amp|lt|gt|quot|#x27);/g, (_all, entity: string) => entities[entity] ?? ''));
    },
  );
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function paintsOf({ blue, cyan, dim, green, magenta, red, yellow }: Colors): Record<string, Paint> {
  return {
    ...{ keyword: magenta, built_in: cyan, type: cyan, literal: yellow, number: yellow, string: green, regexp: green },
    ...{ comment: dim, doctag: dim, meta: dim, title: blue, section: blue, name: blue, attr: cyan, attribute: cyan },
    ...{ variable: yellow, symbol: yellow, 'selector-tag': magenta, 'selector-class': blue, 'selector-id': blue },
    ...{ addition: green, deletion: red },
  };
}
