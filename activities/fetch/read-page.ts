import { htmlToMarkdown } from './html-to-markdown.ts';
import { type Page, PageError, type PageRules, requestPage } from './request-page.ts';

const htmlTypes = ['text/html', 'application/xhtml+xml'];
const textTypes = /^(text\/.+|application\/(json|xml|yaml|toml|javascript|x-ndjson)|application\/.+\+(json|xml|yaml))$/;

/**
 * Reads a page as Markdown, any other text as it is; returns it with the address that redirects led to.
 * @throws {PageError}
 */
export async function readPage(url: string, rules: PageRules): Promise<{ address: string; text: string }> {
  const page = await requestPage(url, rules);
  const { address, type } = page;
  const isHtml = htmlTypes.includes(type);
  if (!isHtml && !textTypes.test(type)) {
    throw new PageError(`Expected a web page or a text at ${address}, got ${type || 'no content type'}.`);
  }
  const text = decode(page);
  return { address, text: isHtml ? await htmlToMarkdown(text, address, rules) : text };
}

/** Decodes by the charset of the response, else by the one that the page itself declares, else as UTF-8. */
function decode({ body, charset, type }: Page): string {
  const start = body.subarray(0, 2048).toString('latin1');
  const ofPage = htmlTypes.includes(type) ? /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1] : undefined;
  for (const name of [charset, ofPage]) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name).decode(body);
    } catch {
      // an unknown charset: try the next one
    }
  }
  return new TextDecoder().decode(body);
}
