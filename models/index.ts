// `longhaul/models`: what a provider of one's own is made of.
export type { AnswerDelta } from '../db/transcript/message.ts';
export { createAnthropic } from './anthropic.ts';
export { createProvider, type Exchange, type ProviderOptions, type ProviderSettings } from './create-provider.ts';
export { type HttpError, httpError, wayError } from './http-error.ts';
export { ModelError, type ModelErrorCause, type ModelErrorDetails } from './model-error.ts';
export type {
  ModelAnswer,
  ModelCallSettings,
  ModelMessage,
  ModelProvider,
  ModelRequest,
  ModelTool,
  ModelUsage,
  ReasoningEffort,
} from './model-provider.ts';
export { createOpenAiChat } from './openai-chat.ts';
export { createOpenAiResponses } from './openai-responses.ts';
