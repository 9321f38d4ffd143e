/** A tool call of a coded agent. */
export interface ObservedCall {
  id: string;
  name: string;
  /** Any JSON. */
  input: unknown;
}

/** Does the work of a tool call, seen from outside as a span of the trace. */
export type ObserveTool = <Result>(call: ObservedCall, work: () => Promise<Result>) => Promise<Result>;

export const unobserved: ObserveTool = (_call, work) => work();
