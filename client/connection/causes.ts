/** An error and what it came from, outermost first; errors of another realm (a worker's, a test's) count too. */
export function* causesOf(error: unknown): Generator<{ code?: unknown; message?: unknown }> {
  for (let one = error; typeof one === 'object' && one !== null; one = (one as { cause?: unknown }).cause) yield one;
}
