// `longhaul/models`: the parts of a user-defined provider.
export type { AnswerDelta } from '../db/transcript/message.ts';
export { createAnthropic } from './anthropic.ts';
export { createProvider, type ProviderCall, type ProviderOptions, type ProviderSettings } from './create-provider.ts';
export { connectionError, type HttpError, httpError } from './http-error.ts';
export { ModelError, type ModelErrorCause, type ModelErrorDetails } from './model-error.ts';
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
} from './model-provider.ts';
export { createOpenAiChat } from './openai-chat.ts';
export { createOpenAiResponses } from './openai-responses.ts';
export { patientFetch } from './patient-fetch.ts';
export { sendableCall } from './sendable-call.ts';
export { type ToolCallPiece, ToolCallPieces } from './tool-call-pieces.ts';
