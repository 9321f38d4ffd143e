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
