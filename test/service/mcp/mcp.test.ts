import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ProjectHandle } from '../../../client/index.ts';
import { packageRoot } from '../../../config/package-root.ts';
import { runCli } from '../../cli/run.ts';
import { createTestsInOrder } from '../../support/in-order.ts';
import { call, proposal, smallProject } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The agents of Longhaul work on the first one; the client of the test on the others. */
const features = [
  { name: 'first' },
  { name: 'second' },
  { name: 'third', files: [{ path: 'acceptance/third.txt', content: 'third\n' }] },
];

let stack: ServiceStack;
let client: Client;
/** Lines on standard output that are no messages, among other things. */
const protocolErrors: Error[] = [];
let project: ProjectHandle;
const folderOf = (name: string) => join(stack.home, 'projects', name);

beforeAll(async () => {
  const { entries } = smallProject(features.slice(0, 1));
  const planned = { role: 'initializer', turns: [call('propose_project', proposal([{ name: 'never' }]))] };
  stack = await startServiceStack({
    script: { entries: [planned, ...entries.filter(({ role }) => role !== 'initializer')] },
    settings: "export default { permissions: { deny: ['Tool(revert_project)'] } };\n",
  });
  client = new Client({ name: 'test-client', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(packageRoot(), 'bin', 'longhaul.cjs'), 'mcp', '--folder', stack.home],
    env: { PATH: process.env.PATH ?? '', ...stack.environment },
    stderr: 'inherit',
  });
  client.onerror = (error) => void protocolErrors.push(error);
  await client.connect(transport);
  project = await stack.longhaul.startProject({
    goal: 'Three files.',
    name: 'files',
    folder: folderOf('files'),
    features: proposal(features),
    settings: { maxSessions: 1 },
  });
});
afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

async function use(name: string, given: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
  const [content] = result.content;
  return { text: content?.type === 'text' ? content.text : '', isError: result.isError ?? false };
}

/** As a client with patience: each sign of progress gives the call another minute. */
async function verify(feature: string) {
  const progress: string[] = [];
  const request = { name: 'update_feature_status', arguments: { project: 'files', feature, status: 'passing' } };
  const result = (await client.callTool(request, undefined, {
    resetTimeoutOnProgress: true,
    onprogress: ({ message = '' }) => progress.push(message),
  })) as CallToolResult;
  const [content] = result.content;
  return { text: content?.type === 'text' ? content.text : '', isError: result.isError ?? false, progress };
}

const statusOf = async (name: string) => (await project.features()).find((one) => one.name === name)?.status;
const writeInProject = (file: string, content: string) => writeFileSync(join(folderOf('files'), file), content);

describe('an agent that drives a project by MCP', () => {
  const inOrder = createTestsInOrder();

  inOrder('a client finds the tools, with what they change', async () => {
    const { tools } = await client.listTools();
    const find = (name: string) => tools.find((tool) => tool.name === name);
    expect(tools).toHaveLength(16);
    expect(find('get_project_status')?.annotations).toMatchObject({ readOnlyHint: true });
    expect(find('abandon_project')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(find('create_long_running_project')?.inputSchema.properties).toHaveProperty('folder');
    expect(client.getInstructions()).toContain('take no orders');
  });

  inOrder('what agents wrote comes as material, and a mistake as an error that says what to do', async () => {
    await waitFor('the limit of sessions', async () => (await project.status()).status === 'WAITING');
    const { text } = await use('get_project_status', { project: 'files' });
    expect(text).toMatch(/^<material from="the project project-files-\w+">\n.*: WAITING/);
    expect(text).toContain('1 of 3 features pass.');
    expect((await use('get_next_feature_to_work_on', { project: 'files' })).text).toContain(
      'grep -qx second second.txt',
    );
    expect(await use('get_project_status', { project: 'nothing' })).toEqual({
      isError: true,
      text: expect.stringContaining('No project has the id or name "nothing". There are: project-files-'),
    });
    expect(await use('pause_project', {})).toMatchObject({ isError: true });
  });

  inOrder('work that is not there does not pass, however it is asked for', async () => {
    const { text, isError } = await verify('second');
    expect(isError).toBe(true);
    expect(text).toContain('"second" is not PASSING');
    expect(await statusOf('second')).toBe('INTERRUPTED');
    expect((await project.features()).find(({ name }) => name === 'second')).toMatchObject({ attempts: 0 });
  });

  inOrder('work in the folder passes by the verification alone, which tells how far it is', async () => {
    writeInProject('second.txt', 'second\n');
    const asked = stack.model.requests().length;
    const { text, isError, progress } = await verify('second');
    expect({ text, isError }).toEqual({ isError: false, text: expect.stringContaining('"second" is PASSING') });
    expect(progress.join('\n')).toMatch(/second at \w+ \(session\): passed/);
    expect(await statusOf('second')).toBe('PASSING');
    expect(stack.model.requests()).toHaveLength(asked);
    const verdicts = await project.evidence('second');
    expect(verdicts.map(({ purpose, passed }) => [purpose, passed])).toEqual(
      expect.arrayContaining([
        ['base', true],
        ['session', false],
        ['session', true],
      ]),
    );
    expect((await project.checkpoints()).at(-1)).toMatchObject({ title: 'second' });
  });

  inOrder('work that changes its own checks does not pass', async () => {
    writeInProject('third.txt', 'third\n');
    writeInProject('acceptance/third.txt', 'anything\n');
    const { text } = await verify('third');
    expect(text).toContain('changed protected files: acceptance/third.txt');
    expect(await statusOf('third')).toBe('INTERRUPTED');
    writeInProject('acceptance/third.txt', 'third\n');
    expect((await verify('third')).text).toContain('"third" is PASSING');
    await waitFor('the end', async () => (await project.status()).status === 'COMPLETED');
  });

  inOrder("notes, decisions and features of a client become the project's", async () => {
    await use('log_project_progress', { project: 'files', note: 'Three files are enough.' });
    expect((await use('get_project_progress_log', { project: 'files', limit: 1 })).text).toContain(
      'note of test-client: Three files are enough.',
    );
    const decision = { title: 'Text', context: 'Files.', choice: 'Plain text.', reasoning: 'Simple.' };
    const recorded = await use('record_project_decision', { project: 'files', ...decision });
    const [, id = ''] = /Recorded as (\S+):/.exec(recorded.text) ?? [];
    await use('record_decision_outcome', { project: 'files', decision: id, outcome: 'success', score: 1 });
    expect((await use('list_project_decisions', { project: 'files' })).text).toContain('outcome: success (1)');
    const verification = { steps: [{ description: 'It is there.', command: 'grep -qx fourth fourth.txt' }] };
    const feature = { name: 'fourth', description: 'One more.', category: 'functional', priority: 1, verification };
    expect((await use('add_project_feature', { project: 'files', ...feature })).text).toContain(
      'COMPLETED: resume_project',
    );
    writeInProject('fourth.txt', 'fourth\n');
    const command = ['session', 'files', '--feature', 'fourth', '--verify-only'];
    expect(await runCli(command, { environment: stack.environment })).toMatchObject({ exitCode: 0 });
    expect(await statusOf('fourth')).toBe('PASSING');
  });

  inOrder('a rule that denies a tool holds for MCP too', async () => {
    expect(await use('revert_project', { project: 'files', checkpoint: 'c1' })).toEqual({
      isError: true,
      text: expect.stringContaining('`deny Tool(revert_project)` of the settings'),
    });
    expect(await statusOf('second')).toBe('PASSING');
  });

  inOrder('report, transcripts, diffs and checks can be read, but not what sealed checks are', async () => {
    const read = async (path: string) => {
      const { contents } = await client.readResource({ uri: `longhaul://projects/${project.id}/${path}` });
      return (contents[0] as { text: string }).text;
    };
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`longhaul://projects/${project.id}/report`);
    expect(await read('report')).toContain('# files');
    expect(await read('transcripts/s1-work')).toContain('write_file');
    expect(await read('diffs/c1')).toContain('+first');
    expect(await read('checks/third')).toContain('Files that must not change: acceptance/third.txt');
    await expect(read('transcripts/nothing')).rejects.toThrow('nothing');
  });

  test('a client starts, pauses, resumes and ends a project of its own', async () => {
    const folder = folderOf('own');
    const elsewhere = { goal: 'One file.', folder: join(packageRoot(), 'docs') };
    expect(await use('create_long_running_project', elsewhere)).toMatchObject({
      isError: true,
      text: expect.stringContaining('is not one that the person gave to you'),
    });
    const started = await use('create_long_running_project', { goal: 'One file.', name: 'own', folder });
    expect(started.text).toMatch(/^Started as project-own-/);
    const [, id = ''] = /Started as (\S+)\./.exec(started.text) ?? [];
    const own = await stack.longhaul.project(id);
    expect(await own.status()).toMatchObject({ folder });
    await waitFor('the plan', async () => (await own.features()).length === 1);
    await expect(client.readResource({ uri: `longhaul://projects/${id}/transcripts/init` })).rejects.toThrow(
      'wrote sealed checks',
    );
    expect((await use('pause_project', { project: id, reason: 'Lunch.', now: true })).text).toContain(
      'PAUSED (Lunch.)',
    );
    await use('resume_project', { project: id });
    expect((await own.status()).status).not.toBe('PAUSED');
    expect((await use('abandon_project', { project: id, reason: 'Enough.' })).text).toContain('ABANDONED (Enough.)');
  });

  test('standard output carries only the protocol', () => {
    expect(protocolErrors).toEqual([]);
  });
});
