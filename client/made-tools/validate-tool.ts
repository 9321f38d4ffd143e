import { randomUUID } from 'node:crypto';
import type { MadeTool } from '../../agents/made-tools/made-tool.ts';
import type { Configuration } from '../../config/configuration.ts';
import { validationOwner } from '../../sandbox/made-tools/tool-sandbox.ts';
import { validateMadeTool } from '../../sandbox/made-tools/validate-made-tool.ts';
import { openToolHost } from './tool-host.ts';

/**
 * Validates a made tool in a sandbox of this machine.
 * @throws {MadeToolRefusedError | DockerUnavailableError}
 */
export async function validateTool(
  configuration: Configuration,
  environment: Record<string, string | undefined>,
  tool: MadeTool,
): Promise<void> {
  const host = await openToolHost(configuration, environment);
  const request = { id: `validation-${randomUUID()}`, owner: validationOwner };
  await validateMadeTool(host, tool, configuration.agents.tools, request);
}
