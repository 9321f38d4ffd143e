export { type DurableOptions, durable } from './durable.ts';
export { modelOf, providerOf } from './model-of.ts';
export { toolsOf } from './tools-of.ts';
