import { type SearchSettings, searchAddress } from '../../domain/search-settings.ts';
import { createBrave } from './brave.ts';
import type { SearchEngine } from './search-engine.ts';
import { createSearxng } from './searxng.ts';

/** The engine that a person has set. */
export function createSearchEngine(settings: SearchSettings): SearchEngine {
  const address = searchAddress(settings);
  return settings.provider === 'searxng' ? createSearxng(address) : createBrave(address, settings.key);
}
