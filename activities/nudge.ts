import type { ModelAnswer } from '../models/model-provider.ts';

/** Written after an answer that asks for no tool, which moves nothing. */
export function nudgeFor(finish: ModelAnswer['finish']): string {
  return finish === 'length'
    ? 'Your answer was cut off at its limit of tokens. Go on where it ended, in smaller steps and with a tool call.'
    : 'You answered without calling a tool, so nothing happened. Go on with a tool call; end with the tool that ends your run.';
}
