import { SandboxError } from '../errors.ts';
import { readAsset } from '../read-asset.ts';
import type { CommandResult, Sandbox } from '../sandbox.ts';

export type CodeLanguage = 'python' | 'javascript';

export interface CodeRequest {
  /** The tool-call id: a second run with it attaches to the first or reads its result. */
  id: string;
  language: CodeLanguage;
  code: string;
  timeoutMs: number;
  /** Aborting stops the code; the result is `cancelled`. */
  cancel?: AbortSignal;
  /** Aborting detaches from the code, which keeps running for a later attach. */
  detach?: AbortSignal;
}

/** A picture that the code wrote to the workspace; `path` is relative to the workspace. */
export interface CodeImage {
  path: string;
  size: number;
}

export interface CodeResult {
  /** `died`: the interpreter ended during the call; `interrupted`: its sandbox did. */
  ended: 'done' | 'timed-out' | 'died' | 'cancelled' | 'interrupted';
  /** The last expression's value as text; empty if it has none. */
  result: string;
  /** What the code printed; the middle of long output is left out. */
  output: string;
  /** A traceback; empty if nothing went wrong. */
  error: string;
  images: CodeImage[];
  moreImages: number;
  /** Set if the call started an interpreter: `first`, or `again`, which means that earlier variables and imports are gone. */
  started?: 'first' | 'again';
  /** Whether variables and imports are gone after the call. */
  lost: boolean;
  /** Whether that is because the sandbox's memory ran out. */
  outOfMemory: boolean;
}

/** Milliseconds on top of the code's own time limit for starting and ending an interpreter. */
const startAndEnd = 30_000;
/** Of a command that was killed, which in a sandbox nearly always means that its memory ran out. */
export const killedExitCode = 137;
const kernels = { python: 'python-kernel.py', javascript: 'javascript-kernel.cjs' } as const;

/**
 * Runs code in the sandbox's interpreter for its language, which keeps variables, functions and imports between calls.
 * @throws {SandboxError} InterpreterMissing if the image has no interpreter for it.
 */
export async function executeCode(sandbox: Pick<Sandbox, 'run'>, request: CodeRequest): Promise<CodeResult> {
  const { id, language, code, timeoutMs, cancel, detach } = request;
  const input = { language, code, name: id, milliseconds: timeoutMs, kernel: readKernel(kernels[language]) };
  const command = await sandbox.run({
    ...callScript(input),
    id,
    timeoutMs: timeoutMs + startAndEnd,
    ...(cancel && { cancel }),
    ...(detach && { detach }),
  });
  if (command.outcome === 'cancelled') {
    // The program that stops the interpreter was cancelled too, so stop the interpreter here; it may have to be killed.
    await sandbox.run({ ...callScript({ language }), id: `${id}.stop`, timeoutMs: startAndEnd });
  }
  return toResult(command, request);
}

function callScript(input: Record<string, unknown>) {
  return {
    script: 'exec python3 -I -c "$CALL"',
    environment: { CALL: readKernel('call.py') },
    input: JSON.stringify(input),
  };
}

function toResult({ outcome, exitCode, output }: CommandResult, { language }: CodeRequest): CodeResult {
  const end = output.text.indexOf('\n');
  const [mark, facts] = splitOnce(output.text.slice(0, end));
  const nothing = { result: '', error: '', images: [], moreImages: 0, outOfMemory: false };
  if (outcome !== 'exited') {
    const ended = outcome === 'timed-out' ? 'died' : outcome;
    return { ...nothing, ended, output: '', lost: outcome !== 'cancelled' };
  }
  if (exitCode === 0 && mark === 'longhaul-code') {
    const { lengths, started, ...rest } = JSON.parse(facts) as Reported;
    const [result = 0, error = 0] = lengths;
    const parts = output.text.slice(end + 1);
    return {
      ...rest,
      ...(started && { started }),
      result: parts.slice(0, result),
      error: parts.slice(result, result + error),
      output: parts.slice(result + error),
    };
  }
  if (exitCode === killedExitCode) return { ...nothing, ended: 'died', output: '', lost: true, outOfMemory: true };
  throw new SandboxError(
    'InterpreterMissing',
    `Expected the sandbox to run ${language}, got exit code ${exitCode}: ${output.text.trim().slice(0, 2000)}. The image needs python3${language === 'python' ? '' : ' and node'}; \`sandbox.image\` names another one.`,
  );
}

interface Reported extends Pick<CodeResult, 'ended' | 'lost' | 'outOfMemory' | 'images' | 'moreImages'> {
  started: 'first' | 'again' | null;
  /** Of `result`, `error` and `output`. */
  lengths: number[];
}

function splitOnce(line: string): [string, string] {
  const space = line.indexOf(' ');
  return space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

function readKernel(name: string): string {
  return readAsset(`code/kernels/${name}`);
}
