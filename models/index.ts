// `longhaul/models`: the parts of a user-defined provider.

export { ModelError, type ModelErrorCode, type ModelErrorDetails } from '../domain/model/model-error.ts';
export type {
  CountedSoFar,
  ModelAnswer,
  ModelCallSettings,
  ModelMessage,
  ModelProvider,
  ModelRequest,
  ModelTool,
  ModelUsage,
  ReasoningEffort,
} from '../domain/model/model-provider.ts';
export type { AnswerDelta } from '../domain/run/message.ts';
export { createAnthropic } from './anthropic/anthropic.ts';
export { createProvider, type ProviderCall, type ProviderOptions, type ProviderSettings } from './create-provider.ts';
export { connectionError, type HttpError, httpError } from './http-error.ts';
export { createOpenAiChat } from './openai/openai-chat.ts';
export { createOpenAiResponses } from './openai/openai-responses.ts';
export { type ToolCallPiece, ToolCallPieces } from './openai/tool-call-pieces.ts';
export { patientFetch } from './patient-fetch.ts';
export { sendableCall } from './sendable-call.ts';
