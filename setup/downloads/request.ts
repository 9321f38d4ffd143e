/** Requests a file; throws with the reason if it does not arrive. */
export async function request(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new Error(`${error.message}${cause}`, { cause: error });
  });
  if (!response.ok) throw new Error(`expected ${url} to answer, got ${response.status} ${response.statusText}`);
  return response;
}
