/** Which search engine agents may ask: a SearXNG server, or Brave's API with a key. */
export type SearchSettings = { provider: 'searxng'; address: string } | { provider: 'brave'; key: string };

const braveAddress = 'https://api.search.brave.com';

/** The address of its server. */
export function searchAddress(settings: SearchSettings): string {
  return settings.provider === 'searxng' ? settings.address : braveAddress;
}
