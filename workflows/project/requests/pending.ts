/** A request that waits for the project's loop to answer it. */
export class Pending<Request, Answer> {
  readonly request: Request;
  /** The update's id, which is the same if a reset repeats the update. */
  readonly id: string;
  outcome: { answer: Answer } | { failure: Error } | undefined;

  constructor(request: Request, id: string) {
    this.request = request;
    this.id = id;
  }

  resolve(answer: Answer): void {
    this.outcome = { answer };
  }

  reject(failure: Error): void {
    this.outcome = { failure };
  }
}
