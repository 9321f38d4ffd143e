import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { validateMadeTool } from '../../../activities/tools/made-tools/validate-made-tool.ts';
import type { MadeTool } from '../../../domain/tool/made-tool.ts';
import { formatRefusals } from '../../../domain/tool/refusal.ts';
import { defaultToolSettings } from '../../../domain/tool/tool-settings.ts';
import { formatReport } from '../../../sandbox/made-tools/format-report.ts';
import { runMadeTool, type ToolReport } from '../../../sandbox/made-tools/run-made-tool.ts';
import { inToolSandbox } from '../../../sandbox/made-tools/tool-sandbox.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { createTestSandboxes, runIn } from '../test-sandboxes.ts';
import { addUp, slugify } from './sample-tools.ts';

const host = createTestSandboxes();
const settings = { ...defaultToolSettings, timeoutSeconds: 60, memoryMegabytes: 128 };
/** Settings with a short time limit, for tools that never end. */
const hasty = { ...settings, timeoutSeconds: 2 };
let image: string;
let listening: Server;
let port: number;
let calls = 0;

beforeAll(async () => {
  ({ image } = host.spec());
  listening = createServer((socket) => socket.end('host'));
  await new Promise<void>((resolve) => listening.listen(0, '0.0.0.0', resolve));
  ({ port } = listening.address() as { port: number });
});
afterAll(async () => {
  listening?.close();
  await host.closeAll();
});

const toolHost = () => ({ sandboxes: host.sandboxes, image, memoryMegabytes: settings.memoryMegabytes });

async function alone<Result>(work: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
  calls += 1;
  return inToolSandbox(toolHost(), { id: `${host.stack}-${calls}`, owner: 'test' }, work);
}

/** Bypasses the static check, to test what the sandbox alone holds back. */
function python(body: string): Pick<MadeTool, 'name' | 'language' | 'code'> {
  return { name: 'probe', language: 'python', code: `def probe():\n${body.replace(/^/gm, '    ')}\n` };
}

async function callOf(
  tool: Pick<MadeTool, 'name' | 'language' | 'code'>,
  given: unknown = {},
  limits = settings,
): Promise<ToolReport> {
  return alone((sandbox) => runMadeTool(sandbox, { id: 'call', tool, given }, limits));
}

test('tools are called one after another, each once, and the result and output of each are separate', async () => {
  await alone(async (sandbox) => {
    const call = (tool: Pick<MadeTool, 'name' | 'language' | 'code'>, given: unknown = {}) => {
      calls += 1;
      return runMadeTool(sandbox, { id: `call-${calls}`, tool, given }, settings);
    };
    expect(await call(slugify, { title: 'Über allen Gipfeln', limit: 9 })).toMatchObject({
      outcome: 'returned',
      value: 'ber-allen',
    });
    const report = await call(addUp, { numbers: [1, 2, 3.5] });
    expect(report).toMatchObject({ outcome: 'returned', value: '{"sum": 6.5}', output: 'adding\n' });
    expect(formatReport(report, settings)).toEqual({ text: '{"sum": 6.5}\n[Output:\nadding]' });
    expect(await call(python('return {1}'))).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('set'),
    });
    expect(await call(python('x = 1\nreturn x / 0'))).toMatchObject({
      error: 'ZeroDivisionError: division by zero (line 3)',
    });

    // Text as code, through a computed key.
    const code = `export function add_up({ key }) {\n  return (() => 1)[key.join('')]('return 7')();\n}\n`;
    expect(await call({ ...addUp, code }, { key: ['con', 'structor'] })).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^EvalError: Code generation from strings disallowed/),
    });

    // 100 MB of output are not stored.
    const loud = await call(python('for _ in range(100):\n    print("x" * (1 << 20))\nreturn "done"'));
    expect(loud).toMatchObject({ outcome: 'returned', value: 'done', outputBytes: 100 * (2 ** 20 + 1) });
    expect(formatReport(loud, settings).text.length).toBeLessThan(8000);

    const failure = async (body: string) => formatReport(await call(python(body)), settings).error;
    expect(await failure('return "x" * 5000000')).toMatch(/larger than 1 MB/);
    expect(await failure('import os\nos._exit(3)')).toMatch(/exit code 3/);

    const tool = python('import time\nreturn time.time_ns()');
    const once = () => runMadeTool(sandbox, { id: 'once', tool, given: {} }, settings);
    const [first, second] = await Promise.all([once(), once()]);
    expect(second).toEqual(first);
    expect(await once()).toEqual(first);
  });
});

test('a tool reaches neither the network, nor the host, nor another session', async () => {
  const other = await host.open();
  await runIn(other, 'secret', 'echo another-session >/workspace/secret; echo another-session >/home/agent/secret');
  const gateway = execFileSync('docker', ['network', 'inspect', 'bridge', '-f', '{{(index .IPAM.Config 0).Gateway}}']);
  const tool = python(`
import glob, os, socket, subprocess
found = {}
for address in ["${gateway.toString().trim()}", "127.0.0.1", "1.1.1.1"]:
    try:
        socket.create_connection((address, ${port}), 1).close()
        found[address] = "reached"
    except OSError as error:
        found[address] = "refused"
found["devices"] = sorted(os.listdir("/sys/class/net"))
found["files"] = glob.glob("/workspace/*") + glob.glob("/home/agent/*")
found["socket"] = os.path.exists("/var/run/docker.sock")
found["user"] = os.getuid()
found["environment"] = sorted(one for one in os.environ if "PROXY" in one.upper() or "KEY" in one.upper())
try:
    open("/etc/written", "w")
    found["root"] = "writable"
except OSError:
    found["root"] = "read-only"
return found`);
  const report = await callOf(tool);
  expect(JSON.parse('value' in report && report.value ? report.value : JSON.stringify(report))).toEqual({
    [gateway.toString().trim()]: 'refused',
    '127.0.0.1': 'refused',
    '1.1.1.1': 'refused',
    devices: ['lo'],
    files: [],
    socket: false,
    user: 1000,
    environment: [],
    root: 'read-only',
  });
});

test.each([
  [
    'sleeps in children that leave its group',
    'import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid(); time.sleep(600)\ntime.sleep(600)',
    /timeout of 2 s/,
  ],
  ['fills memory', 'return len([bytearray(1 << 20) for _ in range(100000)])', /memory|MemoryError/],
  [
    'fills the disk',
    'for n in range(100000):\n    open(f"/home/agent/{n}", "wb").write(b"x" * (1 << 20))',
    /No space left|killed|memory/,
  ],
  ['kills all that it may', 'import os\nos.kill(-1, 9)', /killed|without a result/],
])('a tool that %s is stopped and leaves the host alone', async (_, body, expected) => {
  const limits = expected.source.startsWith('timeout') ? hasty : settings;
  const { error } = formatReport(await callOf(python(body), {}, limits), limits);
  expect(error).toMatch(expected);
});

test('sandboxes of tools are removed', async () => {
  expect((await host.sandboxes.list()).filter(({ owner }) => owner.purpose === 'tool')).toEqual([]);
});

const validate = (changes: Partial<MadeTool>, of: MadeTool = slugify, limits = settings) => {
  calls += 1;
  return validateMadeTool(toolHost(), { ...of, ...changes }, limits, { id: `${host.stack}-${calls}`, owner: 'test' });
};

test("a correct tool is accepted, and code in a tool's default arguments never runs on the host", async () => {
  expect(await validate({}, addUp)).toEqual([]);
  const marker = join(tmpdir(), `${host.stack}-marker`);
  const code = slugify.code.replace('limit=40', `limit=open(${JSON.stringify(marker)}, "w").write("x" * 40)`);
  expect(await validate({ code })).toEqual([]);
  expect(await callOf({ ...slugify, code }, { title: 'A B' })).toMatchObject({ value: 'a-b' });
  expect(existsSync(marker)).toBe(false);
});

test.each<[string, Partial<MadeTool>, MadeTool, RegExp]>([
  [
    'tests that fail',
    { tests: slugify.tests.replace('hello-world', 'other') },
    slugify,
    /tests: they fail[\s\S]*hello-world/,
  ],
  ['tests that fail in JavaScript', { tests: addUp.tests.replace('3', '4') }, addUp, /tests: they fail[\s\S]*4/],
  [
    'a result that cannot be passed on, though the tests pass,',
    {
      code: 'def slugify(title, limit=40):\n    return title.lower().encode()\n',
      tests: 'from tool import slugify\n\ndef test_words():\n    assert slugify("Hello") == b"hello"\n',
    },
    slugify,
    /slugify has to return a JSON value, but returned bytes/,
  ],
  [
    'tests that never end',
    { tests: `${slugify.tests}\ndef test_long():\n    while True: pass\n` },
    slugify,
    /timeout of 2 s/,
  ],
])('%s does not pass', async (_, changes, of, message) => {
  const limits = message.source.startsWith('timeout') ? hasty : settings;
  expect(formatRefusals(await validate(changes, of, limits))).toMatch(message);
});
