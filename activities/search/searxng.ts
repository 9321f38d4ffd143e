import { z } from 'zod';
import { requestJson } from './request-json.ts';
import type { SearchEngine } from './search-engine.ts';

const answer = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
});

const hint = ' SearXNG answers in JSON where `json` is among `search.formats` in its settings.yml.';

/** A SearXNG server, which needs no key. It takes no number of results, so the rest is left out here. */
export function createSearxng(address: string): SearchEngine {
  return {
    async search(query, { count, signal }) {
      const url = new URL(`${address.replace(/\/+$/, '')}/search`);
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
      const { results } = await requestJson(url, answer, { signal, hint });
      return results
        .slice(0, count)
        .map(({ title, url: page, content }) => ({ title, url: page, text: content ?? '' }));
    },
  };
}
