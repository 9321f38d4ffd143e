/** What is said at the moment to whoever listens at the moment; nothing is kept, so what must not be lost belongs in a table. */
export interface EventBus {
  /** Resolves once the payload, of at most `mostPayloadBytes`, is handed over. Payloads published one after the other arrive in that order. */
  publish(channel: string, payload: string): Promise<void>;
  /**
   * Hears a channel until the returned function is called. `onOpen` is called whenever listening begins: the first time, and after each
   * loss of the server, in which payloads may have been missed.
   */
  subscribe(channel: string, subscriber: Subscriber): () => void;
  close(): Promise<void>;
}

export interface Subscriber {
  onPayload(payload: string): void;
  onOpen?(): void;
}

/** Postgres takes less than 8,000 bytes with a NOTIFY. */
export const mostPayloadBytes = 7_900;
