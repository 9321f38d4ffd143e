/** The id of the run, and of the workflow, that does what a tool call delegates. */
export function delegateRunId(callId: string): string {
  return `${callId}-work`;
}
