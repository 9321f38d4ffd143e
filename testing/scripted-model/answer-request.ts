import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { failOnPurpose } from './misbehaviour/fail-on-purpose.ts';
import { isContentMisbehaviour } from './misbehaviour/misbehaviour.ts';
import type { MisbehaviourRules } from './misbehaviour/misbehaviour-rules.ts';
import { spoilAnswer } from './misbehaviour/spoil-answer.ts';
import { readAddress } from './request-address.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import { composeAnswer } from './script/answer.ts';
import { estimateUsage } from './script/estimate-usage.ts';
import { findTurn } from './script/find-turn.ts';
import type { Script } from './script/script.ts';
import { readBody } from './wires/send.ts';
import type { Wire } from './wires/wire.ts';

export interface AnswererDependencies {
  script: Script;
  rules: MisbehaviourRules;
  log: RequestLog;
  wire: Wire;
}

/** Creates a request handler for one protocol. The handler throws `RequestRefusedError` for a request that does not fit the script. */
export function createAnswerer({ script, rules, log, wire }: AnswererDependencies) {
  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const logged = log.open(readAddress(incoming.headers));
    followOutcome(logged, response);
    const { at: _at, outcome: _outcome, ...address } = logged;
    const request = wire.read(await readBody(incoming), incoming);
    const found = findTurn(script, address, request);
    const misbehaviour = rules.take(address, found);
    response.setHeader(wire.requestIdHeader, `req_${address.run ?? 'none'}_${address.turn}`);
    if (misbehaviour !== undefined) {
      logged.misbehaviour = misbehaviour.kind;
      if (await failOnPurpose(misbehaviour, response, wire)) return;
    }
    const composed = composeAnswer(found.turn, address);
    const spoil = misbehaviour !== undefined && isContentMisbehaviour(misbehaviour);
    const answer = spoil ? spoilAnswer(composed, misbehaviour) : composed;
    const parts = { answer, model: script.model, usage: estimateUsage(request, answer) };
    const stream = request.stream === true;
    const body = stream ? wire.events(parts, request) : [JSON.stringify(wire.whole(parts, request))];
    response.writeHead(200, {
      'content-type': stream ? 'text/event-stream' : 'application/json',
      'cache-control': 'no-cache',
    });
    if (misbehaviour?.kind === 'cut-stream') {
      const whole = body.join('');
      response.write(whole.slice(0, Math.floor(whole.length / 2)), () => response.socket?.destroy());
      return;
    }
    if (misbehaviour?.kind === 'slow') {
      for (const part of body) {
        await sleep(misbehaviour.milliseconds);
        if (response.closed) return;
        logged.answeredFrom ??= new Date().toISOString();
        response.write(part);
      }
      response.end();
      return;
    }
    logged.answeredFrom = new Date().toISOString();
    response.end(body.join('')); // one write: each costs a system call here and one in the client
  };
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
