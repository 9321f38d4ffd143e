import { dirname } from 'node:path';
import { RunFailedError } from '../../client/agent-runs/run-failed.ts';
import type { RunEvent } from '../../client/agent-runs/run-handle.ts';
import { refuseScriptedModel } from '../../client/start/refuse-scripted-model.ts';
import { withEnvFile } from '../../config/environment.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { type AgentLonghaul, createLonghaul } from '../../runtime/create-longhaul.ts';
import { loadAgent } from '../../runtime/load-agent.ts';
import { readQuestion } from '../chat/read-question.ts';
import type { CommandContext } from '../program/command-context.ts';
import { describeError } from '../program/describe-error.ts';
import { type ExitCode, exitCodes } from '../program/exit-code.ts';
import { printableLine } from '../render/printable.ts';
import { askLines } from './ask-lines.ts';
import { changesOf } from './changes-of.ts';
import { printOutput, textOf } from './print-output.ts';

export interface RunAgentOptions {
  message?: string;
  json?: boolean;
  watch?: boolean;
}

/** Runs the agent whose code is in a file: once for a message, otherwise for each line that a person types. */
export async function runAgent(
  context: CommandContext,
  file: string,
  { message, json, watch }: RunAgentOptions,
): Promise<ExitCode> {
  const question = await readQuestion(context, { message, command: 'run' });
  if (question === undefined) {
    const messages: AgentMessage[] = [];
    await withAgent(context, file, (longhaul, key) =>
      askLines(context, async (line) => {
        messages.push({ role: 'user', content: line });
        await answer(context, longhaul, key, messages, json);
      }),
    );
    return exitCodes.done;
  }
  const once = () =>
    withAgent(context, file, (longhaul, key) =>
      answer(context, longhaul, key, [{ role: 'user', content: question }], json),
    );
  if (!watch) return once();
  const interrupt = context.interruptSignal();
  for await (const _change of changesOf(dirname(file), interrupt)) {
    await once().catch((error: unknown) => context.note(describeError(error)));
    if (!interrupt.aborted) context.note('Waiting for a change. Ctrl-C stops it.');
  }
  return exitCodes.done;
}

/** Loads the agent, takes its runs for as long as the work lasts, and leaves. */
async function withAgent<Result>(
  context: CommandContext,
  file: string,
  work: (longhaul: AgentLonghaul, key: string) => Promise<Result>,
): Promise<Result> {
  const agent = await loadAgent(file);
  const configuration = await context.configurationWithFile();
  const settings = context.configurationWithFile;
  if (agent.kind === 'declared') await refuseScriptedModel({ configuration, settings }, ', and run it again.');
  const environment = withEnvFile(context.environment);
  const longhaul = await createLonghaul({ agents: [agent], configuration, environment });
  try {
    return await work(longhaul, agent.key);
  } finally {
    await longhaul.close();
  }
}

/** Runs the agent once and prints its result; what it says is added to the messages. Ctrl-C cancels the run. */
async function answer(
  context: CommandContext,
  longhaul: AgentLonghaul,
  key: string,
  messages: AgentMessage[],
  json: boolean | undefined,
): Promise<ExitCode> {
  const run = await longhaul.start(key, messages);
  const cancel = () => void run.cancel().catch((error: unknown) => context.note(describeError(error)));
  const interrupt = context.interruptSignal();
  interrupt.addEventListener('abort', cancel, { once: true });
  try {
    for await (const event of run.events({ live: false })) {
      const text = describeRunEvent(event);
      if (text !== undefined) context.note(printableLine(text));
    }
    const { output, usage, artifacts } = await run.result();
    messages.push({ role: 'assistant', content: textOf(output) });
    if (json) context.printJson({ runId: run.runId, output, usage, artifacts });
    else printOutput(context, output);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof RunFailedError)) throw error;
    context.note(error.message);
    return interrupt.aborted ? exitCodes.interrupted : exitCodes.failed;
  } finally {
    interrupt.removeEventListener('abort', cancel);
  }
}

/** An event in a line; undefined for those that the end shows better. */
export function describeRunEvent(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'tool.call':
      return `${event.tool} ${event.preview}`;
    case 'tool.result':
      return event.failed ? `  failed: ${event.preview}` : `  ${event.preview}`;
    case 'request.opened':
      return `waits for you: ${event.text} \`longhaul answer ${event.request} yes|no\``;
    case 'request.answered':
      return `  ${event.by === 'deadline' ? 'deadline' : 'you'}: ${event.answer}`;
    case 'step.started':
      return `step ${event.step}${event.description ? `: ${event.description}` : ''}`;
    case 'step.skipped':
      return `step ${event.step} was done before`;
    case 'step.retrying':
      return `step ${event.step} failed and is tried again in ${event.delayMs} ms: ${event.reason}`;
    case 'step.failed':
      return `step ${event.step} failed: ${event.reason}`;
    case 'run.retrying':
      return `tried again in ${event.delayMs} ms: ${event.reason}`;
    case 'work.delayed':
      return `waiting to retry: ${event.reason}`;
    case 'progress.update':
      return `${event.percent}%${event.text ? ` ${event.text}` : ''}`;
    default:
      return undefined;
  }
}
