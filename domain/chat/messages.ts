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
  /** The chat was deleted: what it kept outside of the database goes too. */
  discard?: boolean;
  /** It was paused before it continued as new. */
  paused?: boolean;
}

export interface MessageRequest {
  /** Of the message, chosen by who sends it, so that sending it again says nothing twice. */
  id: string;
  /** What the person says; in history, so the client stores it itself and only wakes the chat. */
  text: string;
}

export interface WakeRequest {
  /** A message that is stored and not to wait: the answer that is being given is stopped, and it comes before those that wait. */
  now?: string;
  /** A message was said, or the person wants to go on, so that a pause ends. */
  goesOn?: true;
}

export interface StopRequest {
  /** The message whose answer is to be stopped, also before it begins; the one that is being answered, or about to be, where absent. */
  message?: string;
}
/** Characters, about 50,000 tokens: a longer chat message would leave little of a context window for the answer. */
export const maxMessageLength = 200_000;
