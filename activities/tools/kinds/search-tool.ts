import { fence } from '../../../agents/fence.ts';
import { cutText } from '../../../domain/storable-text.ts';
import type { Dependencies } from '../../dependencies.ts';
import { createSearchEngine } from '../../search/create-search-engine.ts';
import type { SearchResult } from '../../search/search-engine.ts';
import { SearchError } from '../../search/search-error.ts';
import type { Tools } from '../tool.ts';

const timeoutMs = 20_000;
const defaultCount = 5;
/** Characters of one result's text. */
const maxText = 500;

/** Asks the search engine that a person has set. */
export function createSearchTool({ agents }: Pick<Dependencies, 'agents'>): Pick<Tools, 'search_web'> {
  const engine = agents.search && createSearchEngine(agents.search);
  return {
    async search_web({ query, count = defaultCount }, { cancel, detach }) {
      if (!engine) return { failed: true, text: 'No search engine is set.' };
      const tooLong = AbortSignal.timeout(timeoutMs);
      try {
        const found = await engine.search(query, { count, signal: AbortSignal.any([cancel, detach, tooLong]) });
        const text = found.map(describe).join('\n\n');
        return { text: fence('search results', text, 'Nothing was found.'), display: `${found.length} results` };
      } catch (error) {
        if (error instanceof SearchError) return { failed: true, text: error.message };
        if (!tooLong.aborted || cancel.aborted || detach.aborted) throw error;
        return { failed: true, text: `The search engine did not answer within ${timeoutMs / 1000} s.` };
      }
    },
  };
}

function describe({ title, url, text }: SearchResult, index: number): string {
  const line = (words: string, most: number) => cutText(words.replace(/\s+/g, ' ').trim(), most);
  return [`${index + 1}. ${line(title, 200)}`, line(url, 2000), line(text, maxText)].filter(Boolean).join('\n');
}
