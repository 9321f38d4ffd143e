/** Turns texts into vectors of unit length. */
export interface Embedder {
  /** Names the model; each memory remembers it, since vectors of two models cannot be compared. */
  readonly model: string;
  readonly dimensions: number;
  /** One vector for each text, in their order. Some models embed a question otherwise than what answers it. */
  embed(texts: string[], purpose: 'document' | 'query'): Promise<number[][]>;
}
