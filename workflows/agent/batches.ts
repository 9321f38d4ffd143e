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
