// An MCP client: it starts a project through `longhaul mcp`, as Claude Code or another agent would.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const client = new Client({ name: 'first-hour', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'longhaul', args: ['mcp'], env: process.env }));
const { content } = await client.callTool({
  name: 'create_long_running_project',
  arguments: { name: 'water', goal: 'A command that says how many litres a bed needs in a week.' },
});
console.log(content[0].text);
await client.close();
