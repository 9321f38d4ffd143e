import { formatMoment } from '../../client/format/time.ts';
import type { InboxRequest } from '../../domain/permissions/inbox-request.ts';
import { printableLine } from '../render/printable.ts';

/** Each request with its id, what is asked, and how to answer. */
export function renderInbox(requests: InboxRequest[]): string {
  return requests.map(renderRequest).join('\n\n');
}

function renderRequest({
  id,
  projectId,
  chatId,
  agentRunId,
  asked,
  rule,
  createdAt,
  deadlineAt,
  defaultAnswer,
}: InboxRequest): string {
  const deadline = deadlineAt
    ? [`  without an answer, "${defaultAnswer}" counts from ${formatMoment(deadlineAt)}`]
    : [];
  return [
    `${id}  ${projectId ?? chatId ?? agentRunId}  since ${formatMoment(createdAt)}`,
    `  ${printableLine(asked)}`,
    ...(rule ? [`  why: ${printableLine(rule)}`] : []),
    ...deadline,
    `  \`longhaul answer ${id} yes|no|edit [--reason <text>]\``,
  ].join('\n');
}
