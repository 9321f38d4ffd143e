import type { Embedder, OpenedEmbedder } from '../../../domain/memory/embedder.ts';

/** Milliseconds between two attempts to open a missing model. */
const pause = 60_000;

/** A store's embedding model, which may become available later than the store. */
export interface EmbedderSource {
  /** The model, if it is available. If not, looks for it in the background, so that no search waits for a server that is away. */
  current(): Embedder | undefined;
  /** Waits for an attempt that is due or in progress. */
  look(): Promise<Embedder | undefined>;
  /** Whether the settings name a model that is not available yet. */
  isAwaited(): boolean;
}

/** Tries at most once a minute, the first time a minute after creation. Reports that it found the model, or why it will not try again. */
export function createEmbedderSource(
  opened: Pick<OpenedEmbedder, 'embedder' | 'reopen'>,
  notify: (notice: string) => void,
): EmbedderSource {
  let { embedder, reopen } = opened;
  let triedAt = performance.now(); // monotonic: not affected by the clock being set while a machine starts
  let looking: Promise<void> | undefined;

  async function find(open: NonNullable<typeof reopen>): Promise<void> {
    try {
      const found = await open();
      ({ embedder, reopen } = found);
      if (embedder) {
        notify(
          `The embedding model ${embedder.model} is available now. New memories get a vector from it. Maintenance embeds the memories without one; \`longhaul memory reindex\` does so at once.`,
        );
      } else if (!reopen && found.notice) {
        notify(found.notice);
      }
    } catch (error) {
      notify(`Could not look for the embedding model. ${String(error)}`);
    } finally {
      triedAt = performance.now();
      looking = undefined;
    }
  }

  async function look(): Promise<Embedder | undefined> {
    if (reopen && performance.now() - triedAt >= pause) looking ??= find(reopen);
    await looking;
    return embedder;
  }

  return {
    current() {
      void look(); // it never rejects
      return embedder;
    },
    look,
    isAwaited: () => !embedder && reopen !== undefined,
  };
}
