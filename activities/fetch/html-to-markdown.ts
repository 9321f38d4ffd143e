import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../config/package-root.ts';
import { PageError, type PageRules } from './request-page.ts';

/** A page of 1 MB of dense markup takes about 7 s. */
const defaultMs = 20_000;

/**
 * Converts a page to Markdown with absolute links.
 * @throws {PageError} if it cannot be converted in time, or at all.
 */
export async function htmlToMarkdown(
  html: string,
  address: string,
  { signal, conversionMs = defaultMs }: Pick<PageRules, 'signal' | 'conversionMs'>,
): Promise<string> {
  const thread = new Worker(join(packageRoot(), 'activities', 'fetch', 'to-markdown.cjs'), {
    workerData: { html, address },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    env: {},
  });
  const unusable = () =>
    new PageError(`Could not convert the page ${address} to text: its markup is too deep or too large.`);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      timer = setTimeout(() => reject(unusable()), conversionMs);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      thread.once('message', resolve);
      thread.once('error', () => reject(unusable()));
      thread.once('exit', () => reject(unusable()));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
