import { ConfigurationError } from '../../domain/configuration-error.ts';
import type { SearchSettings } from '../../domain/search-settings.ts';

/**
 * Reads LONGHAUL_SEARCH: the address of a SearXNG server, or `brave`. Undefined without it.
 * @throws {ConfigurationError}
 */
export function readSearchSettings(search: string | undefined, key: string | undefined): SearchSettings | undefined {
  if (search === undefined) return undefined;
  if (search === 'brave') {
    if (key !== undefined) return { provider: 'brave', key };
    throw new ConfigurationError(
      'Expected BRAVE_API_KEY, the key for Brave\'s search API, since LONGHAUL_SEARCH is "brave"; got none.',
    );
  }
  if (/^https?:\/\//.test(search) && URL.canParse(search)) return { provider: 'searxng', address: search };
  throw new ConfigurationError(
    `Expected LONGHAUL_SEARCH to be the address of a SearXNG server, such as http://127.0.0.1:8888, or "brave"; got "${search}".`,
  );
}
