import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readMcpFile } from '../../../config/settings/mcp-servers.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-mcp-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const variable = (name: string) => `\${${name}}`;
const read = (file: unknown, environment = {}) => {
  writeFileSync(join(home, '.mcp.json'), typeof file === 'string' ? file : JSON.stringify(file));
  return readMcpFile(home, environment);
};

test('servers of `.mcp.json` are programs or addresses, with variables in their texts', () => {
  const github = { type: 'stdio', command: 'npx', args: ['-y', 'server'], env: { TOKEN: variable('GITHUB_TOKEN') } };
  const docs = { type: 'http', url: 'https://docs.example.org/mcp', headers: { 'x-key': variable('KEY:-none') } };
  expect(read({ mcpServers: { github, docs } }, { GITHUB_TOKEN: 'secret' })).toEqual({
    github: { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 'secret' } },
    docs: { url: 'https://docs.example.org/mcp', headers: { 'x-key': 'none' } },
  });
});

test('without the file there are no servers', () => {
  expect(readMcpFile(home, {})).toEqual({});
});

test.each([
  ['no JSON', '{', 'Expected JSON in '],
  ['a name that tools could not have', { mcpServers: { 'my server': { command: 'x' } } }, 'as the name of a server'],
  ['neither program nor address', { mcpServers: { one: { path: 'x' } } }, 'for a program, or { url, headers? }'],
  ['a variable that is not set', { mcpServers: { one: { command: variable('NOPE') } } }, 'Expected the variable NOPE'],
  ['a file without servers', {}, 'mcpServers'],
])('%s is refused', (_, file, says) => {
  expect(() => read(file)).toThrow(says);
});
