import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

// An MCP server that keeps notes in the file NOTES_FILE: on standard input, or with `--http` on an address that it prints, for requests with the header
// `authorization: NOTES_TOKEN`.

const file = process.env.NOTES_FILE;
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const nothing = { type: 'object', properties: {} };
const tools = [
  { name: 'add_note', description: 'Adds a note.', inputSchema: text },
  { name: 'slow_note', description: 'Adds a note, and never ends.', inputSchema: text },
  { name: 'read_notes', description: 'Reads all notes.', inputSchema: nothing, annotations: { readOnlyHint: true } },
  { name: 'environment', description: 'Names its variables.', inputSchema: nothing },
  { name: 'end', description: 'Ends the server.', inputSchema: nothing },
  { name: 'not usable!', description: 'Has a name that providers refuse.', inputSchema: nothing },
];

function createNotes() {
  const server = new Server({ name: 'notes', version: '1' }, { capabilities: { tools: {} } });
  const answer = (content, isError = false) => ({ content: [{ type: 'text', text: content }], isError });
  // Two pages, as a server with many tools has them.
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor ? { tools: tools.slice(2) } : { tools: tools.slice(0, 2), nextCursor: 'more' },
  );
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given } }) => {
    if (name === 'environment') return answer(Object.keys(process.env).sort().join(' '));
    if (name === 'end') process.exit(0);
    if (name === 'read_notes') return answer(existsSync(file) ? readFileSync(file, 'utf8') : '');
    if (!given?.text) return answer('Expected a text.', true);
    appendFileSync(file, `${given.text}\n`);
    return name === 'slow_note' ? new Promise(() => {}) : answer(`Noted: ${given.text}`);
  });
  return server;
}

if (process.argv.includes('--http')) {
  const http = createServer(async (request, response) => {
    if (request.headers.authorization !== process.env.NOTES_TOKEN) return response.writeHead(401).end();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await createNotes().connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
} else await createNotes().connect(new StdioServerTransport());
