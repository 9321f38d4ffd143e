/** The base of the sandbox image: pulled if possible, otherwise built by debootstrap under a tag of Longhaul's own. */
export const baseRecipe = {
  /** Pulled from the registry that the daemon is configured for. */
  pulled: 'debian:bookworm-slim',
  suite: 'bookworm',
  variant: 'minbase',
  /** The tag of a base built here. */
  made: 'longhaul-base:bookworm-minbase',
} as const;
