import type { IncomingMessage, ServerResponse } from 'node:http';
import { composeAnswer } from './answer.ts';
import { chatCompletion, chatCompletionChunks } from './chat-completion.ts';
import { parseChatRequest } from './chat-request.ts';
import { estimateUsage } from './estimate-usage.ts';
import { failOnPurpose } from './fail-on-purpose.ts';
import { findTurn } from './find-turn.ts';
import { isContentMisbehaviour } from './misbehaviour.ts';
import type { MisbehaviourRules } from './misbehaviour-rules.ts';
import { readAddress } from './request-address.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import type { Script } from './script.ts';
import { readBody, sendJson, serverSentEvent } from './send.ts';
import { spoilAnswer } from './spoil-answer.ts';

export interface ChatAnswererDependencies {
  script: Script;
  rules: MisbehaviourRules;
  log: RequestLog;
}

/**
 * Creates the handler of `POST /v1/chat/completions`.
 * The handler throws `RequestRefusedError` for a request that does not fit the script.
 */
export function createChatAnswerer({ script, rules, log }: ChatAnswererDependencies) {
  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const logged = log.open(readAddress(incoming.headers));
    followOutcome(logged, response);
    const { at: _at, outcome: _outcome, ...address } = logged;
    const request = parseChatRequest(await readBody(incoming));
    const found = findTurn(script, address, request);
    const misbehaviour = rules.take(address, found);
    if (misbehaviour !== undefined) {
      logged.misbehaviour = misbehaviour.kind;
      if (await failOnPurpose(misbehaviour, response)) return;
    }
    const composed = composeAnswer(found.turn, address);
    const spoil = misbehaviour !== undefined && isContentMisbehaviour(misbehaviour);
    const answer = spoil ? spoilAnswer(composed, misbehaviour) : composed;
    const parts = { answer, model: script.model, usage: estimateUsage(request, answer) };
    if (misbehaviour?.kind === 'cut-stream') {
      sendHalf(response, request.stream === true, parts);
    } else if (request.stream === true) {
      const events = chatCompletionChunks({ ...parts, includeUsage: request.stream_options?.include_usage === true });
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      for (const event of events) response.write(serverSentEvent(event));
      response.end(serverSentEvent('[DONE]'));
    } else {
      sendJson(response, 200, chatCompletion(parts));
    }
  };
}

function sendHalf(response: ServerResponse, stream: boolean, parts: Parameters<typeof chatCompletion>[0]): void {
  const whole = stream
    ? chatCompletionChunks({ ...parts, includeUsage: false })
        .map(serverSentEvent)
        .join('')
    : JSON.stringify(chatCompletion(parts));
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  response.write(whole.slice(0, Math.floor(whole.length / 2)), () => response.socket?.destroy());
}

function followOutcome(logged: LoggedRequest, response: ServerResponse): void {
  response.on('close', () => {
    const { misbehaviour } = logged;
    if (misbehaviour === 'cut-stream' || misbehaviour === 'connection-reset') logged.outcome = 'failed';
    else if (!response.writableFinished) logged.outcome = 'left';
    else if (response.statusCode === 200) logged.outcome = 'answered';
    else logged.outcome = misbehaviour === undefined ? 'refused' : 'failed';
  });
}
