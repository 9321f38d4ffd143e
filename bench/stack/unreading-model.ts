import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { note } from './bench-script.ts';
import { words } from './words.ts';

/** Bytes of JSON per token, approximately. */
const bytesPerToken = 4;

export interface UnreadingModel {
  /** The base URL for an OpenAI client, ending in `/v1`. */
  url: string;
  close(): Promise<void>;
}

/**
 * A model that answers requests for some features without reading them, each time with a text of the given length and a call of `log_progress`, and
 * forwards all others. A provider's servers read a long conversation on their own CPUs; the scripted model would use those of the system being
 * measured.
 */
export async function startUnreadingModel(
  charactersOf: Record<string, number>,
  scriptedUrl: string,
): Promise<UnreadingModel> {
  const server = createServer((request, response) => {
    const characters = charactersOf[String(request.headers['x-longhaul-feature'])];
    if (characters === undefined) {
      handOn(request, response, scriptedUrl);
      return;
    }
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer(request, characters));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function handOn(request: IncomingMessage, response: ServerResponse, scriptedUrl: string): void {
  const { method, headers, url = '/' } = request;
  const onward = sendRequest(new URL(url, scriptedUrl), { method, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
  });
  onward.once('error', (error) => response.destroy(error));
  request.pipe(onward);
}

/** The stream of an answer, with token counts as if the request had been read. */
function answer({ headers }: IncomingMessage, characters: number): string {
  const turn = Number(headers['x-longhaul-turn']);
  const prompt = Math.ceil(Number(headers['content-length'] ?? 0) / bytesPerToken);
  const completion = Math.ceil(characters / bytesPerToken);
  const call = { name: 'log_progress', arguments: JSON.stringify(note(turn)) };
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const delta = {
    role: 'assistant',
    content: words(turn + 100, characters),
    tool_calls: [{ index: 0, id: `call_${turn}`, type: 'function', function: call }],
  };
  return [{ choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] }, { choices: [], usage }]
    .map((chunk) => `data: ${JSON.stringify({ id: `answer-${turn}`, object: 'chat.completion.chunk', ...chunk })}\n\n`)
    .concat('data: [DONE]\n\n')
    .join('');
}
