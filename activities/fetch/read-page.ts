import { htmlToMarkdown } from './html-to-markdown.ts';
import { PageError } from './page-error.ts';
import { type Page, type PageRules, requestPage } from './request-page.ts';

const htmlTypes = ['text/html', 'application/xhtml+xml'];
const textTypes = /^(text\/.+|application\/(json|xml|yaml|toml|javascript|x-ndjson)|application\/.+\+(json|xml|yaml))$/;

/**
 * A page as Markdown, any other text as it is; with the address where it was found.
 * @throws {PageError}
 */
export async function readPage(url: string, rules: PageRules): Promise<{ address: string; text: string }> {
  const page = await requestPage(url, rules);
  const { address, type } = page;
  const isHtml = htmlTypes.includes(type);
  if (!isHtml && !textTypes.test(type)) {
    throw new PageError(`${address} is ${type || 'of no type'}; only pages and texts can be read.`);
  }
  const text = decode(page);
  return { address, text: isHtml ? await htmlToMarkdown(text, address, rules.signal) : text };
}

/** By what the answer says, then by what the page says of itself. */
function decode({ body, charset, type }: Page): string {
  const start = body.subarray(0, 2048).toString('latin1');
  const ofPage = htmlTypes.includes(type) ? /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1] : undefined;
  for (const name of [charset, ofPage]) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name).decode(body);
    } catch {
      // a name that nobody knows: the next one
    }
  }
  return new TextDecoder().decode(body);
}
