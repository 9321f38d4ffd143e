import { expectAddress, findAddresses } from '../../client/connection/addresses.ts';
import type { Configuration } from '../../config/configuration.ts';

/** The address of a workflow in the Temporal UI. */
export function uiAddress(ui: string, namespace: string, workflowId: string): string {
  return `${ui.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

/** @throws {ClientError} `StackNotRunning` if no UI is known. */
export async function findUiAddress(configuration: Configuration, workflowId: string): Promise<string> {
  const known = expectAddress(findAddresses(configuration), 'ui', configuration.home);
  return uiAddress(known, configuration.temporal.namespace, workflowId);
}
