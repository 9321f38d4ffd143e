/** The id of the run and the workflow of a delegated call. */
export function delegateRunId(callId: string): string {
  return `${callId}-work`;
}
