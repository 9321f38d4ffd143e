/** A chat event to show to a person; `message` is the id of the person's message that it belongs to. */
export type ChatStreamEvent = { message: string } & (
  | {
      type: 'message-received';
      number: number;
      text: string;
      /** The branch that this message begins. */
      branch?: string;
    }
  /**
   * `recalled` is the number of memories given to the model with the message, `recallFailure` why they could not be searched; `changedAgent` is the
   * agent that answers from now on, if it changed.
   */
  | { type: 'answer-began'; model: string; recalled: number; recallFailure?: string; changedAgent?: string }
  /** The model is asked again: what it said since the last tool call no longer counts. */
  | { type: 'answer-restarted'; why: string | undefined }
  | { type: 'delta'; text: string }
  /** `call` identifies the call within the answer; `preview` says what it is about. */
  | { type: 'tool-began'; call: string; tool: string; preview: string }
  | { type: 'tool-ended'; call: string; tool: string; failed: boolean; preview: string }
  /** All that was said since the last tool call; `limit` says which limit or circle ended the answer, if one did. */
  | { type: 'answer'; text: string; limit?: string }
  /** There is no answer; what was said before the failure or stop stays. */
  | { type: 'failure'; stopped: boolean; reason: string }
);
