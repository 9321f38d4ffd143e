import { causesOf } from './causes.ts';

/** gRPC status codes: https://grpc.io/docs/guides/status-codes/ */
const deadlineExceeded = 4;
const unavailable = 14;

/** Whether an error of Temporal's client means that the server did not answer. */
export function isUnreachable(error: unknown): boolean {
  for (const { code } of causesOf(error)) {
    if (code === deadlineExceeded || code === unavailable) return true;
  }
  return false;
}
