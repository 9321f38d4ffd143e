/**
 * The parts of Temporal's client in use, for lazy import: it takes half a second to load. A module of Longhaul's own, because a bundle gives a lazily
 * imported CommonJS package no named exports.
 */
export {
  ApplicationFailure,
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
export { loadClientConnectConfig } from '@temporalio/envconfig';
