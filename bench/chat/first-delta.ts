import { join } from 'node:path';
import type { ProjectHandle } from '../../client/index.ts';
import { type Measurement, median, milliseconds } from '../measurement.ts';
import { firstWordsOfChat, liveProposal, liveTurns } from '../stack/bench-script.ts';
import type { BenchStack } from '../stack/bench-stack.ts';
import { atTerminal, type Terminal } from './terminal.ts';
import { untilAnswered } from './until-answered.ts';

const messages = 20;
const session = 'bench-stream';
/** Milliseconds before each piece of an answer. */
const slowness = 20;
const most = 200;

/**
 * Time from the first byte of an answer that the model's server sends to its first words on the screen of `longhaul`, in a chat and in the live view
 * of a project. `longhaul` is a process of its own at a terminal, and so are the worker and the servers.
 */
export async function measureFirstDelta(stack: BenchStack): Promise<Measurement[]> {
  return [
    rowOf(
      '`longhaul chat`',
      await atTerminal(stack, `chat --session ${session}`, (terminal) => measureInChat(stack, terminal)),
    ),
    rowOf('the live view (`longhaul log -f`)', await measureInLiveView(stack)),
  ];
}

function rowOf(where: string, times: number[]): Measurement {
  return {
    what: `first words on the screen of ${where} after the first byte of the answer: median, worst of ${times.length}`,
    ours: `${milliseconds(median(times))}, ${milliseconds(Math.max(...times))}`,
    goal: { text: `under ${most} ms`, reached: Math.max(...times) < most },
  };
}

async function measureInChat(stack: BenchStack, terminal: Terminal): Promise<number[]> {
  await terminal.untilPrompt();
  stack.model.misbehave({ kind: 'slow', milliseconds: slowness }, { match: { role: 'chat' }, times: messages });
  const times: number[] = [];
  for (let message = 0; message < messages; message += 1) {
    stack.signal.throwIfAborted();
    const [before, asked] = [terminal.length(), stack.model.requests().length];
    terminal.type(`Bench: message ${message}\r`);
    const at = await terminal.untilShown(firstWordsOfChat, before);
    const request = stack.model
      .requests()
      .slice(asked)
      .find(({ role }) => role === 'chat');
    times.push(at - beginOf(request?.answeredFrom));
    await untilAnswered(stack, session, message + 1);
    await terminal.untilQuiet(); // the words of this answer are drawn once more when it is finished
  }
  stack.model.behave();
  await terminal.leave();
  return times;
}

async function measureInLiveView(stack: BenchStack): Promise<number[]> {
  const folder = join(stack.home, 'projects', 'live');
  stack.model.misbehave(
    { kind: 'slow', milliseconds: slowness },
    { match: { role: 'code', feature: 'live' }, times: liveTurns },
  );
  const features = liveProposal;
  const project = await stack.longhaul.startProject({ goal: 'Be watched.', name: 'live', folder, features });
  return atTerminal(stack, `log -f ${project.id}`, (terminal) => measureTurns(stack, project, terminal));
}

async function measureTurns(stack: BenchStack, project: ProjectHandle, terminal: Terminal): Promise<number[]> {
  const times: number[] = [];
  // The view learns of a run within a quarter of a second, but this model begins to answer sooner than any real one: skip the first turn.
  for (let turn = 2; turn <= liveTurns; turn += 1) {
    stack.signal.throwIfAborted();
    // If words arrive late the view shows only their end, but always below this line.
    const at = await terminal.untilShown(`turn ${turn}: answering`);
    const request = stack.model
      .requests()
      .find((one) => one.role === 'code' && one.feature === 'live' && one.turn === turn);
    times.push(at - beginOf(request?.answeredFrom));
  }
  stack.model.behave();
  await project.waitForEnd({ orRest: true });
  await terminal.leave('');
  return times;
}

function beginOf(answeredFrom: string | undefined): number {
  if (answeredFrom === undefined) throw new Error('Expected the request of an answer that is shown, found none.');
  return Date.parse(answeredFrom);
}
