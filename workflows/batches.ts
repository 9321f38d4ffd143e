/** Calls that only read stand together; each other call stands alone, in order. */
export function inBatches<Call extends { readOnly: boolean }>(calls: Call[]): Call[][] {
  const batches: Call[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (call.readOnly && last?.every((other) => other.readOnly)) last.push(call);
    else batches.push([call]);
  }
  return batches;
}

/** What the calls of a batch return, in their order; of one that stands alone without what `Promise.all` adds to it. */
export function sideBySide<Call, Result>(batch: Call[], run: (call: Call) => Promise<Result>): Promise<Result[]> {
  const running = batch.map(run);
  const [first] = running;
  return first && running.length === 1 ? first.then((result) => [result]) : Promise.all(running);
}
