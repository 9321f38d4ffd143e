/** What the sandbox image is built on: pulled where that works, else made by debootstrap under a tag of our own. */
export const baseRecipe = {
  /** Pulled from the registry that the daemon is set up for. */
  pulled: 'debian:bookworm-slim',
  suite: 'bookworm',
  variant: 'minbase',
  /** What a base made here is tagged. */
  made: 'longhaul-base:bookworm-minbase',
} as const;
