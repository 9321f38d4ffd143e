import type { Embedder } from './embedder.ts';
import type { OpenedEmbedder } from './open-embedder.ts';

/** Milliseconds between two looks for a model that cannot be had, as long as other answers about the store are trusted. */
const pause = 60_000;

/** A store's embedding model, which may come later than the store. */
export interface EmbedderSource {
  /** The model; where it cannot be had it is looked for meanwhile, and whoever asks later has it: no search waits for a server that is away. */
  current(): Embedder | undefined;
  /** Waits for a look that is due or under way. */
  look(): Promise<Embedder | undefined>;
  /** Whether a model is named that cannot be had yet. */
  isAwaited(): boolean;
}

/** Looks again at most once a minute, the first time a minute after it was made; what it finds, or why no later look will, is told. */
export function createEmbedderSource(
  opened: Pick<OpenedEmbedder, 'embedder' | 'reopen'>,
  tell: (notice: string) => void,
): EmbedderSource {
  let { embedder, reopen } = opened;
  let lookedAt = performance.now(); // a clock that is set while a machine starts does not change it
  let looking: Promise<void> | undefined;

  async function find(open: NonNullable<typeof reopen>): Promise<void> {
    try {
      const found = await open();
      ({ embedder, reopen } = found);
      if (embedder) {
        tell(
          `The embedding model ${embedder.model} can be had now: what is written gets its vectors from it, and the next upkeeps embed what was written without (\`longhaul memory reindex\`: all at once).`,
        );
      } else if (!reopen && found.notice) {
        tell(found.notice);
      }
    } catch (error) {
      tell(`The embedding model could not be looked for. ${String(error)}`);
    } finally {
      lookedAt = performance.now();
      looking = undefined;
    }
  }

  async function look(): Promise<Embedder | undefined> {
    if (reopen && performance.now() - lookedAt >= pause) looking ??= find(reopen);
    await looking;
    return embedder;
  }

  return {
    current() {
      void look(); // it does not fail
      return embedder;
    },
    look,
    isAwaited: () => !embedder && reopen !== undefined,
  };
}
