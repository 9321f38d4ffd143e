import { howToGoOn } from '../../domain/chat/limits.ts';
import type { ExchangeStatus } from '../../domain/project/statuses.ts';

/** How the answer to a message ended. */
export interface ExchangeEnding {
  status: ExchangeStatus;
  reason?: string;
}

/** The endings of an answer, worded for who reads it: the person, or the agent that delegated the task. */
export function createEndings(reader: 'person' | 'agent') {
  function limited(reason: string): ExchangeEnding {
    return { status: 'LIMITED', reason: `${reason} ${howToGoOn[reader]}` };
  }

  function brokenOff(whyNoRest?: string): ExchangeEnding {
    const reason = 'The answer was cut off at the token limit (`maxOutputTokens`).';
    return limited(whyNoRest === undefined ? reason : `${reason} Its continuation failed: ${whyNoRest}`);
  }

  function endingOf(wording: 'none' | 'cut-off' | undefined): ExchangeEnding {
    const empty =
      reader === 'person' ? 'The model gave an empty answer. Ask again.' : 'The model gave an empty answer.';
    if (wording === 'none') return { status: 'FAILED', reason: empty };
    return wording === 'cut-off' ? brokenOff() : { status: 'ANSWERED' };
  }

  return { limited, brokenOff, endingOf };
}
