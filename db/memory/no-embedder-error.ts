/** Thrown when memories are to be embedded but no model is available. */
export class NoEmbedderError extends Error {
  override name = 'NoEmbedderError';
  constructor() {
    super(
      'Expected an embedding model. `longhaul setup` fetches the local one; LONGHAUL_MODEL_EMBEDDING names another.',
    );
  }
}
