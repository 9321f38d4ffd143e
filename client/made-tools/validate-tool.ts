import { randomUUID } from 'node:crypto';
import { validateMadeTool } from '../../activities/tools/made-tools/validate-made-tool.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { MadeTool } from '../../domain/tool/made-tool.ts';
import { validationOwner } from '../../sandbox/made-tools/tool-sandbox.ts';
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
