import { checkJavaScript } from '../../../agents/made-tools/check-javascript.ts';
import { checkName } from '../../../agents/made-tools/check-name.ts';
import { checkParameters, namesOfParameters } from '../../../agents/made-tools/check-parameters.ts';
import type { MadeTool } from '../../../domain/tool/made-tool.ts';
import { MadeToolRefusedError } from '../../../domain/tool/refusal.ts';
import type { MadeToolSettings } from '../../../domain/tool/tool-settings.ts';
import { checkPython, runToolTests } from '../../../sandbox/made-tools/run-made-tool.ts';
import type { ProgramSignals } from '../../../sandbox/made-tools/run-program.ts';
import { tellTests } from '../../../sandbox/made-tools/tell-report.ts';
import {
  inToolSandbox,
  type ToolSandboxHost,
  type ToolSandboxRequest,
} from '../../../sandbox/made-tools/tool-sandbox.ts';

/**
 * Validates everything about a made tool except whether its name is free: its name, parameters and syntax tree, then its tests in a fresh sandbox.
 * None of its code runs in this process.
 * @throws {MadeToolRefusedError} with every refusal of the first step that has any.
 */
export async function validateMadeTool(
  host: Omit<ToolSandboxHost, 'memoryMegabytes'>,
  tool: MadeTool,
  settings: MadeToolSettings,
  request: ToolSandboxRequest & ProgramSignals,
): Promise<void> {
  const { name, language, code, tests, parameters } = tool;
  const refuse = (refusals: MadeToolRefusedError['refusals']) => {
    if (refusals.length) throw new MadeToolRefusedError(name, refusals);
  };
  refuse([...checkName(name), ...checkParameters(parameters)]);
  if (language === 'javascript') refuse(checkJavaScript({ name, code, tests, imports: settings.imports.javascript }));
  await inToolSandbox({ ...host, memoryMegabytes: settings.memoryMegabytes }, request, async (sandbox) => {
    if (language === 'python') {
      const imports = settings.imports.python;
      const names = namesOfParameters(parameters);
      refuse(await checkPython(sandbox, { id: 'check', name, code, tests, imports, ...names }, request));
    }
    const failure = tellTests(await runToolTests(sandbox, { id: 'tests', tool }, settings, request), settings);
    request.cancel?.throwIfAborted();
    if (failure !== undefined) refuse([{ part: 'tests', reason: failure }]);
  });
}
