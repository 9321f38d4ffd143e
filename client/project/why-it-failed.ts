/** The message and failure type that Longhaul's own code gave to a failure that came through Temporal. */
export async function whyItFailed(error: Error): Promise<{ message: string; type: string | undefined }> {
  const { ApplicationFailure } = await import('../connection/temporal-client.ts');
  let found = error;
  // Its cause, in turn, is the error that it was made from.
  while (!(found instanceof ApplicationFailure) && found.cause instanceof Error) found = found.cause;
  return { message: found.message, type: found instanceof ApplicationFailure ? (found.type ?? undefined) : undefined };
}
