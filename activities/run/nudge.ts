import type { ModelAnswer } from '../../domain/model/model-provider.ts';

/** The message that follows an answer without a tool call, since such an answer gets nothing done. */
export function nudgeFor(finish: ModelAnswer['finish']): string {
  return finish === 'length'
    ? 'Your answer was cut off at its limit of tokens. Go on where it ended, in smaller steps and with a tool call.'
    : 'You answered without calling a tool, so nothing happened. Go on with a tool call; end with the tool that ends your run.';
}
