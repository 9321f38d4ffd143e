/** Where the words of an answer are shown. */
export interface AnswerPlace {
  write(text: string): void;
  /** What was written since the last `end` no longer counts, and other words follow. */
  discard(why: string | undefined): void;
}

/** The words of an answer, of which those that a model says once more are not shown again. */
export interface AnswerText {
  add(text: string): void;
  /** The model is asked again: it may say the same or something else. */
  restart(why: string | undefined): void;
  /** The words are complete, or with `brokenOff` stay as they are; the next ones are another text. */
  end(options?: { brokenOff: boolean }): void;
}

export function createAnswerText(place: AnswerPlace): AnswerText {
  let shown = '';
  /** What the model has said since it was asked again, as long as that is the beginning of what is shown. */
  let again: { text: string; why: string | undefined } | undefined;

  function differ(text: string, why: string | undefined): void {
    again = undefined;
    shown = text;
    place.discard(why);
    if (text) place.write(text);
  }

  return {
    add(text) {
      if (!again) {
        shown += text;
        return place.write(text);
      }
      const { why } = again;
      const said = again.text + text;
      again = { text: said, why };
      if (shown.startsWith(said)) return;
      if (!said.startsWith(shown)) return differ(said, why);
      again = undefined;
      place.write(said.slice(shown.length));
      shown = said;
    },
    restart(why) {
      if (shown) again = { text: '', why };
    },
    end({ brokenOff } = { brokenOff: false }) {
      if (again && !brokenOff && again.text !== shown) differ(again.text, again.why);
      shown = '';
      again = undefined;
    },
  };
}
