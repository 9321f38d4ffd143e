/** Groups consecutive calls that only read; every other call stands alone. The order is kept. */
export function inBatches<Call extends { readOnly: boolean }>(calls: Call[]): Call[][] {
  const batches: Call[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (call.readOnly && last?.every((other) => other.readOnly)) last.push(call);
    else batches.push([call]);
  }
  return batches;
}

/** Runs the calls of a batch concurrently and returns their results in order; a single call is spared what `Promise.all` adds. */
export function sideBySide<Call, Result>(batch: Call[], run: (call: Call) => Promise<Result>): Promise<Result[]> {
  const running = batch.map(run);
  const [first] = running;
  return first && running.length === 1 ? first.then((result) => [result]) : Promise.all(running);
}
