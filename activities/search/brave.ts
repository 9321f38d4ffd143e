import { z } from 'zod';
import { requestJson } from './request-json.ts';
import type { SearchEngine } from './search-engine.ts';

/** Without results the answer has no `web`. */
const answer = z.object({
  web: z
    .object({ results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string().nullish() })) })
    .nullish(),
});

const hint = ' BRAVE_API_KEY is its key.';

/** Brave's search API; it marks words of the query in descriptions with tags. */
export function createBrave(address: string, key: string): SearchEngine {
  return {
    async search(query, { count, signal }) {
      const url = new URL(`${address}/res/v1/web/search`);
      url.search = new URLSearchParams({ q: query, count: String(count), text_decorations: 'false' }).toString();
      const { web } = await requestJson(url, answer, { headers: { 'x-subscription-token': key }, signal, hint });
      return (web?.results ?? []).slice(0, count).map((one) => ({
        title: one.title,
        url: one.url,
        text: (one.description ?? '').replace(/<\/?\w+>/g, ''),
      }));
    },
  };
}
