/** Turns texts into vectors of unit length. */
export interface Embedder {
  /** Names the model; stored with each memory, since vectors of two models cannot be compared. */
  readonly model: string;
  readonly dimensions: number;
  /** One vector for each text, in the same order. Some models embed questions differently from what answers them. */
  embed(texts: string[], purpose: 'document' | 'query'): Promise<number[][]>;
}

export interface OpenedEmbedder {
  /** Absent if none is available: search is by words only then. */
  embedder?: Embedder | undefined;
  /** Tries again; present if a model is named that is not available now but may be later. */
  reopen?: (() => Promise<OpenedEmbedder>) | undefined;
  /** Why there is none, and what to do about it; to be shown to a person once. */
  notice?: string | undefined;
}
