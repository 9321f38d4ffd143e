import { isIP } from 'node:net';
import { isSecondHand } from '../../db/memory/origin.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import {
  findRequest,
  openChatRequest,
  openRequest,
  type RequestRow,
  requestId,
  takeAnswer,
} from '../../db/requests/requests.ts';
import { type Decision, decide, describeCall } from '../../domain/permissions/decide.ts';
import { secondHandMemory } from '../../domain/permissions/default-rules.ts';
import { describeAsked, describeToolCall } from '../../domain/permissions/describe-asked.ts';
import { describeVerdict } from '../../domain/permissions/describe-decision.ts';
import { describeRefusal } from '../../domain/permissions/describe-refusal.ts';
import type { Call, Rule } from '../../domain/permissions/rule.ts';
import { rulesInForce } from '../../domain/permissions/rules-in-force.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Role } from '../../domain/run/role.ts';
import { searchAddress } from '../../domain/search-settings.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { isPublicAddress } from '../fetch/public-address.ts';
import { originOfRun } from '../memory/origin-of-run.ts';
import { createJudgePageOf, hostKey, type Judged } from './judge-page-of.ts';
import type { ToolResult } from './tool.ts';

interface ToolCall {
  /** Also a made one. */
  tool: string;
  arguments: unknown;
}

/** The rules on the calls of a run. */
export function createRulesOf({ database, agents }: Pick<Dependencies, 'database' | 'agents'>) {
  return async ({ owner }: Pick<AgentRun, 'owner'>): Promise<Rule[]> => {
    const ofProject = owner.kind === 'project' ? (await readProject(database, owner.id)).settings.permissions : {};
    return rulesInForce(agents.permissions.rules, ofProject);
  };
}

/** Why rules do not allow what a call leads to beside what it names, such as a redirect: no person is asked about that. Undefined if they do. */
export function refuseByRule(rules: readonly Rule[], call: Call): string | undefined {
  const decision = decide(rules, call);
  const isHeld = decision.rule !== undefined && decision.effect !== 'allow';
  return isHeld ? `${describeVerdict(decision)} decides on ${preview(decision.part, 300)}.` : undefined;
}

/** Agents whose attempt ends where a person has to be asked; for the others it is refused, since they only plan, judge or read. */
const mayAsk = new Set<Role>(['planner', 'code', 'testing', 'documentation']);

/** Judges a tool call by the rules: undefined if it may happen, else what the agent is told. `id`: the call's own. */
export function createPermitCall({ database, agents }: Pick<Dependencies, 'database' | 'agents'>) {
  const rulesOf = createRulesOf({ database, agents });
  const judgePageOf = createJudgePageOf({ database, agents });
  return async (run: AgentRun, id: string, call: ToolCall): Promise<ToolResult | undefined> => {
    const isProject = run.owner.kind === 'project';
    const rules = await rulesOf(run);
    const judged: Judged[] = (await callsOf(run, call)).map((one) => ({ call: one, decision: decide(rules, one) }));
    const page = pageOf(call);
    // Nobody is asked about an address that is refused in any case.
    if (page && !isPrivate(page)) judged.push(await judgePageOf(run, rules, page));
    const denied = judged.find(({ decision: { effect, rule } }) => effect === 'deny' && rule);
    if (denied) return refusal(denied.decision);
    const asked = judged.find(({ decision }) => decision.effect === 'ask');
    if (!asked) return undefined;
    if (isProject) return askInProject(run, asked);
    return asked.call.kind === 'Network' ? askForHost(run, call.tool, asked) : askInChat(run, id, call, asked);
  };

  async function callsOf(run: AgentRun, call: ToolCall): Promise<Call[]> {
    const calls = toCalls(call);
    if (call.tool === 'search_web' && agents.search)
      calls.push({ kind: 'Network', subject: new URL(searchAddress(agents.search)).hostname });
    const { scope = 'global' } = call.arguments as { scope?: string };
    if (call.tool !== 'write_memory' || scope !== 'global') return calls;
    const origin = await originOfRun(database, run.parentRunId ?? run.runId);
    return isSecondHand({ origin }) ? [...calls, { kind: 'Tool', subject: secondHandMemory }] : calls;
  }

  /** Ends the attempt until a person has answered; the yes counts for all attempts at the feature. */
  async function askInProject(run: AgentRun, asked: Judged): Promise<ToolResult | undefined> {
    const { feature, sessionId } = run;
    if (!feature || !sessionId || !mayAsk.has(run.role)) return refusal(asked.decision);
    const what = describeAsked(describeCall(asked.call), 1_000);
    const key = `${run.owner.id}/${feature}/${describeCall(asked.call)}`;
    const earlier = await findRequest(database, requestId(key));
    if (earlier?.answer) return earlier.answer === 'yes' ? undefined : refusedBy(what, earlier);
    const rule = describeAsking(asked);
    const { id } = await inProject(database, run.owner.id, (transaction) =>
      openRequest(
        transaction,
        { key, kind: 'call', items: [what], rule, sessionId, feature, asked: `May "${feature}" do this? ${what}` },
        agents.permissions.requests,
      ),
    );
    return {
      asks: true,
      text: `A person has to allow ${what} first, and is asked (request ${id}). The next attempt reads the answer.`,
    };
  }

  /** The yes counts for all pages of the host in this chat. */
  async function askForHost(run: AgentRun, tool: string, asked: Judged): Promise<ToolResult | undefined> {
    const what = describeCall(asked.call);
    const found = await openChatRequest(
      database,
      {
        key: hostKey(run, asked.call),
        kind: 'call',
        chatId: run.owner.id,
        items: [preview(what, 1_000)],
        rule: describeAsking(asked),
        asked: `May this chat read pages of ${preview(asked.call.subject, 400)}?`,
      },
      agents.permissions.requests,
    );
    if (found.answer === 'yes') return undefined;
    return found.answer ? refusedBy(what, found) : waitsFor(found.id, tool);
  }

  /** Tells the person in the conversation how to allow it; the yes counts for one call. */
  async function askInChat(
    { owner }: AgentRun,
    id: string,
    { tool, arguments: given }: ToolCall,
    asked: Judged,
  ): Promise<ToolResult | undefined> {
    const what = describeToolCall(tool, given);
    for (let times = 1; ; times += 1) {
      const key = `${owner.id}/${what}/${times}`;
      const found = await openChatRequest(
        database,
        {
          key,
          kind: 'call',
          chatId: owner.id,
          items: [preview(what, 1_000)],
          rule: describeAsking(asked),
          asked: `May this chat do this? ${describeAsked(what, 400)}`,
        },
        agents.permissions.requests,
      );
      if (found.answer === 'no' || found.answer === 'edit') return refusedBy(what, found);
      if (!found.answer) return waitsFor(found.id, tool);
      if (await takeAnswer(database, found.id, id)) return undefined;
    }
  }
}

/** The calls that rules know, of a call of a tool. */
export function toCalls({ tool, arguments: given }: ToolCall): Call[] {
  const { command, path, language } = given as Record<string, string | undefined>;
  const calls: Call[] = [{ kind: 'Tool', subject: tool }];
  if (tool === 'run_command' && command) calls.push({ kind: 'Run', subject: command });
  if (tool === 'execute_code')
    calls.push({ kind: 'Run', subject: language === 'python' ? 'python -c …' : 'node -e …' });
  if ((tool === 'write_file' || tool === 'edit_file') && path) calls.push({ kind: 'Write', subject: path });
  if ((tool === 'read_file' || tool === 'search_files' || tool === 'list_files') && path)
    calls.push({ kind: 'Read', subject: path });
  return calls;
}

/** The page that a call would read. */
function pageOf({ tool, arguments: given }: ToolCall): URL | undefined {
  const { url } = given as { url?: string };
  return tool === 'fetch_url' && url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
}

function isPrivate({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

function describeAsking({ decision }: Judged): string {
  return decision.rule ? describeVerdict(decision) : 'no rule allows the host';
}

function waitsFor(request: string, tool: string): ToolResult {
  return {
    failed: true,
    text: `A person has to allow this first. Ask them to run \`longhaul answer ${request} yes\`, or /answer ${request} yes here, and to say so; then call ${tool} again with the same arguments.`,
    display: `waits for \`longhaul answer ${request} yes\``,
  };
}

function refusal(decision: Decision): ToolResult {
  return {
    failed: true,
    text: `Not allowed: ${describeVerdict(decision)} decides on ${preview(decision.part, 300)}. Do without it, and not by another way.`,
  };
}

function refusedBy(what: string, { answer, reason }: Pick<RequestRow, 'answer' | 'reason'>): ToolResult {
  return { failed: true, text: describeRefusal(what, answer, reason) };
}
