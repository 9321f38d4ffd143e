import type { ModelSettings } from '../../config/model-settings.ts';

/** Says that no provider is set, and what the scripted model has answers for; undefined if a provider is set. */
export function tellScripted({ scripted, script }: ModelSettings): string | undefined {
  if (!scripted) return undefined;
  const answers = script === undefined ? 'has answers for the example project only' : `answers from ${script}`;
  return `No key or address of a provider is set: every role asks the scripted model, which ${answers}. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or see docs/models.md.`;
}
