import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';
import { openRunRequest } from '../../db/requests/run-requests.ts';
import { decide } from '../../domain/permissions/decide.ts';
import { describeAsked, describeToolCall } from '../../domain/permissions/describe-asked.ts';
import { describeVerdict } from '../../domain/permissions/describe-decision.ts';
import { describeRefusal } from '../../domain/permissions/describe-refusal.ts';
import type { Call } from '../../domain/permissions/rule.ts';
import { preview } from '../../domain/storable-text.ts';
import { toCalls } from '../tools/permit-call.ts';
import type { HostDependencies } from './host-dependencies.ts';

/** A call of an agent's tool that is about to be made. */
export interface CallToPermit {
  /** The same at each attempt. */
  id: string;
  tool: Pick<AgentTool, 'name' | 'on' | 'requiresConfirmation'>;
  /** Its input, as JSON. */
  input: string;
}

/** `no`: the agent is told `text`. `waits`: a person has to answer, at the latest `until`, in milliseconds since 1970. */
export type Permit =
  | { verdict: 'yes' }
  | { verdict: 'no'; text: string }
  | { verdict: 'waits'; request: string; until?: number };

/** Judges a call of a user's own tool by the rules of a person and by what the tool demands; puts it into the inbox where a person has to decide. */
export function createPermitTool({ database, permissions }: Pick<HostDependencies, 'database' | 'permissions'>) {
  // Default rules are about Longhaul's own tools, whose names a user's tool may happen to have.
  const { rules } = permissions;

  return async (runId: string, agent: string, { id, tool, input }: CallToPermit): Promise<Permit> => {
    const calls = tool.on === 'sandbox' ? callsOf(tool.name, input) : [{ kind: 'Tool' as const, subject: tool.name }];
    const decisions = calls.map((call) => decide(rules, call));
    const decision =
      decisions.find(({ effect }) => effect === 'deny') ?? decisions.find(({ effect }) => effect === 'ask');
    if (decision?.effect === 'deny') {
      return {
        verdict: 'no',
        text: `Not allowed: ${describeVerdict(decision)} decides on ${preview(decision.part, 300)}. Do without it.`,
      };
    }
    if (!decision && !tool.requiresConfirmation) return { verdict: 'yes' };
    const what = describeToolCall(tool.name, JSON.parse(input));
    const found = await openRunRequest(
      database,
      {
        ...{ runId, key: id, kind: 'call', items: [preview(what, 1_000)] },
        rule: decision ? describeVerdict(decision) : `\`requiresConfirmation\` of ${tool.name}`,
        asked: `May the agent ${agent} do this? ${describeAsked(what, 400)}`,
      },
      permissions.requests,
    );
    if (found.answer === 'yes') return { verdict: 'yes' };
    if (!found.answeredBy) {
      return { verdict: 'waits', request: found.id, ...(found.deadlineAt && { until: found.deadlineAt.getTime() }) };
    }
    return { verdict: 'no', text: describeRefusal(what, found.answer, found.reason) };
  };
}

/** What rules know of a call in the sandbox: Longhaul's own tools also run commands, and read and write files. */
function callsOf(tool: string, input: string): Call[] {
  return toCalls({ tool, arguments: JSON.parse(input) });
}
