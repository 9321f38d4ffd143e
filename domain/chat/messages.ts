/** What `chatWorkflow` takes. */
export interface ChatInput {
  chatId: string;
  /** Messages that were stopped before their answer began. */
  stopped?: string[];
  /** Messages that are not to wait for others, the latest first. */
  urgent?: string[];
  /** Messages whose answers were begun, the latest last. */
  answered?: string[];
  /** Tools were used that may have opened its sandbox. */
  sandbox?: boolean;
  /** The chat was deleted: its data outside the database goes too. */
  discard?: boolean;
  /** It was paused before it continued as new. */
  paused?: boolean;
}

export interface MessageRequest {
  /** The message's id, chosen by its sender, so that sending it again does not repeat it. */
  id: string;
  /** What the person says; in history, so the client stores it itself and only wakes the chat. */
  text: string;
}

export interface WakeRequest {
  /** The message that the wake-up is for; its answer continues the trace of who sent it. */
  message?: string;
  /** A stored message that does not wait: it stops the current answer and comes before waiting messages. */
  now?: string;
  /** There is a message, or the person wants to continue, so a pause ends. */
  goesOn?: true;
}

export interface StopRequest {
  /** The message whose answer to stop, even before it begins; by default the current or next one. */
  message?: string;
}
/** Characters, about 50,000 tokens: a longer chat message would leave little of a context window for the answer. */
export const maxMessageLength = 200_000;
