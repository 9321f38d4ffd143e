/** What `longhaul` exits with. */
export const exitCodes = { done: 0, failed: 1, badInput: 2, waits: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The errors that tell of something wrong in what was typed rather than of something that went wrong. */
const badInput = new Set([
  'InvalidInputError',
  'ConfigurationError',
  'UnknownProjectError',
  'UnknownFeatureError',
  'UnknownCheckpointError',
  'UnknownRunError',
  'FolderInUseError',
  'FolderIsFileError',
  'FolderNotEmptyError',
  'FolderNotWritableError',
  'BareRepositoryError',
]);

export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) return exitCodes.failed;
  return badInput.has(error.name) ? exitCodes.badInput : exitCodes.failed;
}
