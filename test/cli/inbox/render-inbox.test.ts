import { expect, test } from '@jest/globals';
import { renderInbox } from '../../../cli/inbox/render-inbox.ts';
import type { InboxRequest } from '../../../domain/permissions/inbox-request.ts';

test('a request says in local time since when it waits, why it is asked, and how to answer', () => {
  const request = {
    ...{ id: '1f0c9a3e', projectId: null, chatId: 'chat-garden-wl1k8a', agentRunId: null },
    ...{ asked: 'May this chat read pages of docs.python.org?', rule: 'no rule allows the host' },
    ...{ createdAt: new Date(2026, 2, 1, 14, 5), deadlineAt: new Date(2026, 2, 2, 14, 5), defaultAnswer: 'no' },
  } as InboxRequest;
  expect(renderInbox([request])).toBe(
    [
      '1f0c9a3e  chat-garden-wl1k8a  since 2026-03-01 14:05',
      '  May this chat read pages of docs.python.org?',
      '  why: no rule allows the host',
      '  without an answer, "no" counts from 2026-03-02 14:05',
      '  `longhaul answer 1f0c9a3e yes|no|edit [--reason <text>]`',
    ].join('\n'),
  );
});
