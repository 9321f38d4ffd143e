/** Delivers messages to whoever is listening at that moment. Nothing is stored, so what must not be lost belongs in a table. */
export interface EventBus {
  /**
   * Resolves once the payload, of at most `maxPayloadBytes`, is handed over; may reject while the server is away. Payloads published one after the
   * other arrive in that order.
   */
  publish(channel: string, payload: string): Promise<void>;
  /**
   * Listens on a channel until the returned function is called. `onOpen` is called whenever listening begins: the first time, and after each loss of
   * the server, during which payloads may have been missed.
   */
  subscribe(channel: string, subscriber: Subscriber): () => void;
  close(): Promise<void>;
}

export interface Subscriber {
  onPayload(payload: string): void;
  onOpen?(): void;
}

/** Postgres requires the payload of a NOTIFY to be shorter than 8,000 bytes. */
export const maxPayloadBytes = 7_900;
