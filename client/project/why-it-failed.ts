/** What Longhaul's own code said of a failure that came through Temporal: its message and failure type. */
export async function whyItFailed(error: Error): Promise<{ message: string; type: string | undefined }> {
  const { ApplicationFailure } = await import('../connection/temporal-client.ts');
  let found = error;
  // Below the first one is the error that it was named after.
  while (!(found instanceof ApplicationFailure) && found.cause instanceof Error) found = found.cause;
  return { message: found.message, type: found instanceof ApplicationFailure ? (found.type ?? undefined) : undefined };
}
