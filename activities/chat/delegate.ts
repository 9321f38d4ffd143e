import { eq } from 'drizzle-orm';
import { type DelegateRole, definitionOf, offeredTools } from '../../agents/agent-definition.ts';
import { delegateTurnLimit, delegateTurns } from '../../agents/run-limits.ts';
import { toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import { inChat } from '../../db/chats/chat-transaction.ts';
import { resolveChat } from '../../db/chats/chats.ts';
import type { Queryable } from '../../db/connection/database.ts';
import { runs } from '../../db/schema/runs.ts';
import { answerOpenCalls } from '../../db/transcript/answer-open-calls.ts';
import { readLastAnswer } from '../../db/transcript/last-answer.ts';
import { placeBelow } from '../../db/transcript/place-run.ts';
import { findRun, readMessagesAt, writeMessage } from '../../db/transcript/transcript.ts';
import { type ChatLimits, limitsOfAgent, limitsOfSettings, limitsOfTask } from '../../domain/chat/limits.ts';
import type { RunAgent } from '../../domain/project/settings.ts';
import type { ExchangeStatus } from '../../domain/project/statuses.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeInstructions } from '../instructions/describe-instructions.ts';
import { maxCalls } from '../model/skipped-calls.ts';
import { createMadeTools } from '../tools/made-tools/made-tools.ts';
import { formatMoment } from './describe-time.ts';
import { readLatestResults } from './latest-results.ts';

/** A tool call that delegates. */
export interface Delegation {
  chatId: string;
  /** The delegating run. */
  parentRunId: string;
  /** The delegate's run. */
  runId: string;
  role: DelegateRole;
  /** False in a conversation without memory. */
  memory?: false;
  /** The answer with the call, and the call's position in it. */
  answerNumber: number;
  position: number;
}

/** The activities `startDelegate` and `endDelegate`: the run of an agent that a chat delegates to. */
export function createDelegateActivities(dependencies: Dependencies) {
  const { database, agents, prompts, modelOf } = dependencies;
  const madeTools = createMadeTools(dependencies);
  return { startDelegate, endDelegate };

  /** Returns the run's limits; null if it may not start (the call's result says why) or has ended. */
  async function startDelegate(request: Delegation): Promise<ChatLimits | null> {
    const { chatId, parentRunId, runId, role } = request;
    if (!(await mayDelegate(request))) return null;
    const limits = await limitsOf(request);
    const task = await readTask(request);
    if (task === undefined) return null;
    const definition = definitionOf({ role, owner: { kind: 'chat' } });
    const ofRole = prompts.renderInstructions(definition.instructions, { turns: String(limits.modelCalls) });
    const system = [ofRole, await describeSkills(chatId)].filter(Boolean).join('\n\n');
    const said = prompts.render(definition.task ?? '', { task, date: formatMoment(new Date()) });
    return inChat(database, chatId, async ({ query }) => {
      const earlier = await findRun(query, runId);
      if (earlier) return earlier.status === 'RUNNING' ? limits : null;
      const place = await placeBelow(query, parentRunId);
      const model = modelOf(role, {});
      const given = await givenBelow(query, parentRunId, system);
      await query.insert(runs).values({ id: runId, chatId, ...place, role, model, ...given, status: 'RUNNING' });
      await writeMessage(query, { runId, number: 0, turn: 0, role: 'system', content: { text: system } });
      await writeMessage(query, { runId, number: 1, turn: 0, role: 'user', content: { text: said } });
      return limits;
    });
  }

  /** Stores the agent's last words as its result, and why they may be incomplete. */
  async function endDelegate(ending: {
    chatId: string;
    runId: string;
    status: ExchangeStatus;
    reason?: string;
  }): Promise<void> {
    const { chatId, runId, status, reason } = ending;
    await inChat(database, chatId, async ({ query }) => {
      const run = await findRun(query, runId);
      if (run?.status !== 'RUNNING') return;
      const finished = status === 'ANSWERED';
      const found = finished ? '' : await readLatestResults(query, runId);
      const result = [await readLastAnswer(query, runId), found, reason ?? ''].filter(Boolean).join('\n\n');
      await answerOpenCalls(query, runId, reason ?? status);
      await query
        .update(runs)
        .set({ status: finished ? 'FINISHED' : 'ENDED', result, endedAt: new Date() })
        .where(eq(runs.id, runId));
    });
  }

  async function describeSkills(chatId: string): Promise<string> {
    const { agent } = await resolveChat(database, chatId);
    if (agent?.tools && !agent.tools.includes('read_skill')) return '';
    return (await describeInstructions(dependencies)).text;
  }

  /** Whether the call is executed: a model may call a tool that it was not offered, or make too many calls. */
  async function mayDelegate({ chatId, parentRunId, role, memory, position }: Delegation): Promise<boolean> {
    if (position >= maxCalls) return false;
    const owner = { kind: 'chat' as const, id: chatId };
    const parent = { owner, role: 'chat' as const, ...(memory === false && { memory }) };
    const { given } = await madeTools.givenTo(parentRunId, offeredTools(parent, agents));
    return given.includes(`delegate_${role}_task`);
  }

  /** Half of what its chat may use per message; the limits of the answering agent count too. */
  async function limitsOf({ chatId, role }: Delegation): Promise<ChatLimits> {
    const { toolCalls, tokens } = agents.chat;
    const { agent } = await resolveChat(database, chatId);
    const set = role === 'research' ? agents.maxTurns.research : undefined; // the others belong to projects
    const ofAgent = agent?.limits.modelCalls;
    const modelCalls = [set, ofAgent === undefined ? undefined : delegateTurns(ofAgent)].filter(
      (one) => one !== undefined,
    );
    const origin = limitsOfTask(agent ? limitsOfAgent(agent) : limitsOfSettings);
    const isSet = set !== undefined && (ofAgent === undefined || set <= delegateTurns(ofAgent));
    return {
      origin: isSet ? { ...origin, modelCalls: '`maxTurns.research`' } : origin,
      modelCalls: modelCalls.length ? Math.min(...modelCalls) : delegateTurnLimit(agents.maxTurns).value,
      toolCalls: Math.floor((agent?.limits.toolCalls ?? toolCalls) / 2),
      tokens: Math.floor((agent?.limits.tokens ?? tokens) / 2),
      stuck: agents.stuck,
    };
  }

  /** The task of the call; undefined if its arguments are invalid (the result says so). */
  async function readTask({ parentRunId, role, answerNumber, position }: Delegation): Promise<string | undefined> {
    const [answer] = await readMessagesAt(database, parentRunId, [answerNumber]);
    const call = answer?.content.toolCalls?.[position];
    try {
      const { parameters } = toolDeclarations[`delegate_${role}_task`];
      return parameters.safeParse(JSON.parse(call?.arguments ?? '')).data?.task;
    } catch {
      return undefined; // not JSON
    }
  }
}

/**
 * The made tools that the delegating run has now, including those that it made itself. A delegate of a user-defined agent gets no tool that the
 * agent's tool list omits.
 */
async function givenBelow(
  query: Queryable,
  parentRunId: string,
  instructions: string,
): Promise<{ madeTools: string[]; agent: RunAgent | null }> {
  const { madeTools = [], agent = null } = (await findRun(query, parentRunId)) ?? {};
  return { madeTools, agent: agent?.tools ? { ...agent, instructions } : null };
}
