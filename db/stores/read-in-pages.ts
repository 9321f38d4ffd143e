const rowsOfPage = 500;

/** Yields numbered rows in order, reading some hundred at a time. */
export async function* readInPages<Row extends { number: number }>(
  read: (after: number, limit: number) => PromiseLike<Row[]>,
): AsyncIterable<Row> {
  let after = 0;
  for (;;) {
    const rows = await read(after, rowsOfPage);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < rowsOfPage) return;
    after = last.number;
  }
}
