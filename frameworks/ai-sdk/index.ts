export type { LanguageModel } from '../../agents/runtime/language-model/language-model.ts';
export { type DurableOptions, durable } from './durable.ts';
export { modelOf } from './model-of.ts';
export { toolsOf } from './tools-of.ts';
