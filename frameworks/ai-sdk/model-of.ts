import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import { createLanguageModel } from '../../agents/runtime/language-model/create-language-model.ts';
import type { LanguageModel } from '../../agents/runtime/language-model/language-model.ts';
import { runtimeOf } from '../../agents/runtime/runtime-of.ts';

/** The run's model for `generateText`, `streamText` and `ToolLoopAgent`; the same as `context.model` unless another `model` is named. */
export function modelOf(
  context: AgentContext<never, never> | AgentContext,
  /** `provider/model`, or a list, tried in order. */
  { model }: { model?: string | readonly string[] } = {},
): LanguageModel {
  return createLanguageModel(runtimeOf(context).ask, model === undefined ? undefined : [model].flat().join(','));
}
