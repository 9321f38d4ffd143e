/** What happens in a chat, as it is shown to a person; `message` is the id of the person's message that it is about. */
export type ChatStreamEvent = { message: string } & (
  | {
      type: 'message-kept';
      number: number;
      text: string;
      /** The branch that begins with it. */
      branch?: string;
    }
  /**
   * `recalled` is how many memories it was given with the message, `recallFailure` why they could not be searched; `changedAgent` who
   * answers from now on, where that changed.
   */
  | { type: 'answer-began'; model: string; recalled: number; recallFailure?: string; changedAgent?: string }
  /** The model is asked again: what it said since the last tool call no longer counts. */
  | { type: 'answer-restarted'; why: string | undefined }
  | { type: 'delta'; text: string }
  /** `call` tells its calls apart; `preview` is what it is about. */
  | { type: 'tool-began'; call: string; tool: string; preview: string }
  | { type: 'tool-ended'; call: string; tool: string; failed: boolean; preview: string }
  /** The whole of what it said last; with `limit` where that, or a limit of tokens, ended it. */
  | { type: 'answer'; text: string; limit?: string }
  /** There is no answer; what was said before it failed, or was stopped, stays. */
  | { type: 'failure'; stopped: boolean; reason: string }
);
