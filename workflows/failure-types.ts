/** Every type of `ApplicationFailure` that Longhaul throws, in activities and workflows alike. */
export const failureTypes = [
  'InvalidInput',
  'UnknownProject',
  'UnknownFeature',
  'UnknownCheckpoint',
  'UnknownChat',
  'FolderUnusable',
  'FolderInUse',
  'UncommittedChanges',
  'RepositoryUnusable',
  'ProposalRefused',
  'ModelRateLimited',
  'ModelOverloaded',
  'ModelServerError',
  'ModelUnreachable',
  'ModelTimeout',
  'ModelAuthentication',
  'ModelRequestRefused',
  'ModelContextTooLong',
  'ModelContentRefused',
  'ModelQuotaSpent',
  'SandboxUnavailable',
  'SandboxLost',
  'WorkspaceUnusable',
  'Internal',
] as const;

export type FailureType = (typeof failureTypes)[number];
