import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ZodError } from 'zod';
import { createAnswerer } from './answer-request.ts';
import { type ControlInput, type MisbehaviourInput, matchSchema } from './misbehaviour/misbehaviour.ts';
import { createMisbehaviourRules } from './misbehaviour/misbehaviour-rules.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';
import { RequestRefusedError } from './request-refused-error.ts';
import { loadScript } from './script/load-script.ts';
import { parseScript, type ScriptInput } from './script/script.ts';
import { parseJson } from './wires/chat-request.ts';
import { chatWire } from './wires/chat-wire.ts';
import { messagesWire } from './wires/messages-wire.ts';
import { responsesWire } from './wires/responses-wire.ts';
import { readBody, sendError, sendJson } from './wires/send.ts';
import type { Wire } from './wires/wire.ts';

/** Milliseconds that an idle connection is kept: a client that sends just as it is closed would see it reset. */
const keepAliveMs = 600_000;

export interface ScriptedModelOptions {
  /** A script, or the folder of one. */
  script: ScriptInput | string;
  /** A free one if absent. */
  port?: number;
  /** 127.0.0.1 if absent. */
  host?: string;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** The base URL for an OpenAI client, ending in `/v1`; an Anthropic client takes it without that ending. */
  readonly url: string;
  /** The model requests so far, in order of arrival. */
  requests(): LoggedRequest[];
  /** Misbehaves like this on the next `times` (default 1) requests that match; rules are applied in the order they were added. */
  misbehave(misbehaviour: MisbehaviourInput, options?: Omit<ControlInput, 'misbehave'>): void;
  /** Removes every added misbehaviour that is not used up. */
  behave(): void;
  /** Stops the server, breaking off requests in flight. */
  close(): Promise<void>;
}

/**
 * Starts a server that speaks OpenAI's two protocols and Anthropic's, and answers from a script according to a request's `X-Longhaul-*` headers. Its
 * answers depend on the request alone, so it may be stopped and restarted at any time.
 * @throws {ScriptError} if the script cannot be used, and the system's error if the port is taken.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const script = typeof options.script === 'string' ? await loadScript(options.script) : parseScript(options.script);
  const log = createRequestLog();
  const rules = createMisbehaviourRules();
  const answerer = (wire: Wire) => createAnswerer({ script, rules, log, wire });

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void> | void> = {
    'POST /v1/chat/completions': answerer(chatWire),
    'POST /v1/responses': answerer(responsesWire),
    'POST /v1/messages': answerer(messagesWire),
    'GET /v1/models': (_request, response) => {
      const model = { id: script.model, object: 'model', created: 0, owned_by: 'longhaul' };
      sendJson(response, 200, { object: 'list', data: [model] });
    },
    'POST /control': async (request, response) => {
      rules.add(parseJson(await readBody(request)) as ControlInput);
      sendJson(response, 200, {});
    },
    'DELETE /control': (_request, response) => {
      rules.clear();
      sendJson(response, 200, {});
    },
    'GET /control/requests': (_request, response) => sendJson(response, 200, log.list()),
  };

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const route = routes[`${request.method} ${path}`];
    if (route === undefined) {
      const message = `The scripted model has no ${request.method} ${path}; it has ${Object.keys(routes).join(', ')}.`;
      sendError(response, 404, { message, type: 'invalid_request_error', code: 'not_found' });
      return;
    }
    Promise.resolve()
      .then(() => route(request, response))
      .catch((error: unknown) => answerError(response, error));
  });
  server.keepAliveTimeout = keepAliveMs;
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/v1`,
    requests: () => log.list(),
    misbehave: (misbehaviour, { match, times } = {}) =>
      rules.add({
        misbehave: misbehaviour,
        match: matchSchema.parse(match ?? {}),
        ...(times === undefined ? {} : { times }),
      }),
    behave: () => rules.clear(),
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
  } else if (error instanceof RequestRefusedError) {
    sendError(response, 400, { message: error.message, type: 'invalid_request_error', code: error.code });
  } else if (error instanceof ZodError) {
    const complaints = error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; ');
    sendError(response, 400, { message: complaints, type: 'invalid_request_error', code: 'invalid_request' });
  } else {
    const message = `The scripted model itself failed: ${error instanceof Error ? error.stack : String(error)}`;
    sendError(response, 500, { message, type: 'server_error', code: 'scripted_model_defect' });
  }
}
