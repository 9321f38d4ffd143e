import type { SearchSettings } from '../../domain/search-settings.ts';
import { searchAddress } from '../../domain/search-settings.ts';
import { createBrave } from './brave.ts';
import { createSearxng } from './searxng.ts';

export interface SearchResult {
  title: string;
  url: string;
  /** A piece of the page, as plain text. */
  text: string;
}

/** Finds pages; each engine is a file of this folder. */
export interface SearchEngine {
  /**
   * The best `count` results.
   * @throws {SearchError}
   */
  search(query: string, options: { count: number; signal: AbortSignal }): Promise<SearchResult[]>;
}

export function createSearchEngine(settings: SearchSettings): SearchEngine {
  const address = searchAddress(settings);
  return settings.provider === 'searxng' ? createSearxng(address) : createBrave(address, settings.key);
}
