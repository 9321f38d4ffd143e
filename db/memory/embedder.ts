/** Turns texts into vectors of unit length. */
export interface Embedder {
  /** Names the model; a store remembers it, since vectors of two models cannot be compared. */
  readonly model: string;
  readonly dimensions: number;
  embed(texts: string[], purpose: 'document' | 'query'): Promise<number[][]>;
}
