import type { AgentContext } from '../../../agents/runtime/agent-context.ts';
import type { Answer, AskListeners, AskOptions } from '../../../agents/runtime/ask-model.ts';
import { createAgentContext } from '../../../agents/runtime/create-agent-context.ts';
import type { ObserveTool } from '../../../agents/runtime/observe-tool.ts';
import type { Operation } from '../../../agents/runtime/record/run-store.ts';
import type { AgentTool } from '../../../agents/runtime/tools/define-tool.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import type { AgentEventData } from '../../../domain/run/event.ts';

export interface Asked extends AskOptions {
  messages: AgentMessage[];
}

/** An answer, or what asking fails with. */
export type Reply = Partial<Answer> | Error;

/** A run without a server: it keeps what its contexts record, so that another context goes on as after a crash. */
export interface MemoryRun {
  /** What models were asked, in order. */
  asked: Asked[];
  events: AgentEventData[];
  /** The context of a process that takes the run up. */
  context(): AgentContext;
  abort(reason: unknown): void;
}

export function memoryRun(
  replies: Reply[],
  {
    tools = [],
    keeps = (text) => text,
    observe,
  }: { tools?: AgentTool[]; keeps?: (text: string) => string; observe?: ObserveTool } = {},
): MemoryRun {
  const operations = new Map<string, Operation>();
  const events: AgentEventData[] = [];
  const asked: Asked[] = [];
  const stopped = new AbortController();

  async function ask(messages: AgentMessage[], options: AskOptions, { onText }: AskListeners) {
    const reply = replies[asked.length];
    asked.push({ messages, ...options });
    if (reply === undefined) throw new Error(`Expected at most ${replies.length} questions.`);
    if (reply instanceof Error) throw reply;
    for (const piece of (reply.text ?? '').match(/.{1,3}/gs) ?? []) onText?.(piece);
    return { result: { text: '', toolCalls: [], finish: 'done' as const, model: 'test/model', usage: null, ...reply } };
  }

  return {
    asked,
    events,
    context: () =>
      createAgentContext({
        run: {
          ...{ id: 'run-1', input: [{ role: 'user', content: 'Hello' }], params: null, metadata: {} },
          ...{ attempt: 1, checkpoint: 0, state: undefined, operations: [...operations.values()] },
        },
        tools,
        ...(observe && { observe }),
        signal: stopped.signal,
        isCancelled: () => false,
        store: {
          async begin(operation) {
            operations.set(`${operation.scope} ${operation.key}`, { ...operation, result: null, finished: false });
          },
          async finish(operation, attached) {
            const result = JSON.parse(JSON.stringify(operation.result), (_key, value) =>
              typeof value === 'string' ? keeps(value) : value,
            );
            operations.set(`${operation.scope} ${operation.key}`, { ...operation, result, finished: true });
            events.push(...(attached?.events ?? []));
            return result;
          },
          checkpoint: async () => {},
          async append(added) {
            events.push(...added);
          },
        },
        ask,
      }),
    abort: (reason) => stopped.abort(reason),
  };
}

export function calls(...names: string[]): Reply {
  return { toolCalls: names.map((name, index) => ({ id: `${name}-${index}`, name, arguments: '{"city":"Oslo"}' })) };
}
