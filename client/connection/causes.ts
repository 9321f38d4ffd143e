/** An error and its chain of causes, outermost first; includes errors of another realm (a worker's, a test's). */
export function* causesOf(error: unknown): Generator<{ code?: unknown; message?: unknown }> {
  for (let one = error; typeof one === 'object' && one !== null; one = (one as { cause?: unknown }).cause) yield one;
}
