/**
 * What is used of Temporal's client, for imports at the moment of use: it takes half a second to load. It stands in a module of ours since a
 * bundle gives a package of CommonJS that is imported late no names.
 */
export {
  ApplicationFailure,
  Client,
  Connection,
  WithStartWorkflowOperation,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
export { loadClientConnectConfig } from '@temporalio/envconfig';
