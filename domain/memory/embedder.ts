/** Turns texts into vectors of unit length. */
export interface Embedder {
  /** Names the model; stored with each memory, since vectors of two models cannot be compared. */
  readonly model: string;
  readonly dimensions: number;
  /** One vector for each text, in the same order. Some models embed questions differently from what answers them. */
  embed(texts: string[], purpose: 'document' | 'query'): Promise<number[][]>;
}
