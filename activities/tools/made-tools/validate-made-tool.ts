import { checkJavaScript } from '../../../agents/made-tools/check-javascript.ts';
import { checkName } from '../../../agents/made-tools/check-name.ts';
import { checkParameters, namesOfParameters } from '../../../agents/made-tools/check-parameters.ts';
import { readCandidate, storeRefusals } from '../../../db/made-tools/candidates.ts';
import type { MadeTool } from '../../../domain/tool/made-tool.ts';
import type { Refusal } from '../../../domain/tool/refusal.ts';
import type { MadeToolSettings } from '../../../domain/tool/tool-settings.ts';
import { formatFailedTests } from '../../../sandbox/made-tools/format-report.ts';
import { checkPython, runToolTests } from '../../../sandbox/made-tools/run-made-tool.ts';
import type { ProgramSignals } from '../../../sandbox/made-tools/run-program.ts';
import {
  inToolSandbox,
  type ToolSandboxHost,
  type ToolSandboxRequest,
} from '../../../sandbox/made-tools/tool-sandbox.ts';
import { withHeartbeat } from '../../heartbeat.ts';
import type { MadeToolDependencies } from './made-tools.ts';

/**
 * Validates everything about a made tool except whether its name is free: its name, parameters and syntax tree, then its tests in a fresh sandbox.
 * None of its code runs in this process. Returns every refusal of the first step that has any; an empty list accepts the tool.
 */
export async function validateMadeTool(
  host: Omit<ToolSandboxHost, 'memoryMegabytes'>,
  tool: MadeTool,
  settings: MadeToolSettings,
  request: ToolSandboxRequest & ProgramSignals,
): Promise<Refusal[]> {
  const { name, language, code, tests, parameters } = tool;
  const ofDeclaration = [...checkName(name), ...checkParameters(parameters)];
  if (ofDeclaration.length) return ofDeclaration;
  const { imports } = settings;
  const ofCode = language === 'javascript' ? checkJavaScript({ name, code, tests, imports: imports.javascript }) : [];
  if (ofCode.length) return ofCode;
  return inToolSandbox({ ...host, memoryMegabytes: settings.memoryMegabytes }, request, async (sandbox) => {
    if (language === 'python') {
      const check = { id: 'check', name, code, tests, imports: imports.python, ...namesOfParameters(parameters) };
      const ofPython = await checkPython(sandbox, check, request);
      if (ofPython.length) return ofPython;
    }
    const failure = formatFailedTests(await runToolTests(sandbox, { id: 'tests', tool }, settings, request), settings);
    request.cancel?.throwIfAborted();
    return failure === undefined ? [] : [{ part: 'tests', reason: failure }];
  });
}

/** The activity `validateTool`: validates a candidate, whose id is also its workflow's, and stores the refusals or that there are none. */
export function createValidateTool({ database, sandboxes, defaultImage, agents }: MadeToolDependencies) {
  return ({ id }: { id: string }): Promise<void> =>
    withHeartbeat(async ({ cancel, detach }) => {
      const { tool } = await readCandidate(database, id);
      const host = { sandboxes, image: defaultImage };
      const refusals = await validateMadeTool(host, tool, agents.tools, { id, owner: id, cancel, detach });
      await storeRefusals(database, id, refusals);
    });
}
