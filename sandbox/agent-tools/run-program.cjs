// Runs a program of an agent, in which its tools are functions. A call leaves as a file `<number>.call` of the folder and is answered by `<number>.answer`;
// the program comes as JSON on standard input, and the last line of output says what became of it.
const { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { inspect } = require('node:util');

/** Characters of JSON of an input or a result; the harness would not read more of it whole. */
const most = 12_000;
/** Milliseconds between two looks for answers. */
const lookPause = 15;

const waiting = new Map();
const times = new Map();
let folder = '';
let number = 0;
let looking;

function write(name, text) {
  writeFileSync(join(folder, `${name}.new`), text);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

function look() {
  for (const [call, { resolve, reject }] of waiting) {
    const file = join(folder, `${call}.answer`);
    if (!existsSync(file)) continue;
    waiting.delete(call);
    const answer = JSON.parse(readFileSync(file, 'utf8'));
    if ('error' in answer) reject(new Error(answer.error));
    else resolve(answer.value);
  }
  if (waiting.size) return;
  clearInterval(looking);
  looking = undefined;
}

async function call(tool, input = {}) {
  const json = JSON.stringify(input);
  if (json === undefined || json.length > most) throw new Error(`Expected an input of ${tool} as JSON of at most ${most} characters.`);
  const time = (times.get(`${tool} ${json}`) ?? 0) + 1;
  times.set(`${tool} ${json}`, time);
  number += 1;
  const own = number;
  write(`${own}.call`, JSON.stringify({ number: own, tool, input: JSON.parse(json), time }));
  looking ??= setInterval(look, lookPause);
  return new Promise((resolve, reject) => waiting.set(own, { resolve, reject }));
}

async function run({ code, functions, name }) {
  folder = join(homedir(), '.longhaul', 'programs', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tools = Object.fromEntries(functions.map((tool) => [tool, (input) => call(tool, input)]));
  const names = functions.filter((tool) => /^[A-Za-z_]\w*$/.test(tool));
  const AsyncFunction = (async () => {}).constructor;
  const result = await new AsyncFunction('tools', 'require', ...names, code)(tools, require, ...names.map((tool) => tools[tool]));
  const json = JSON.stringify(result === undefined ? null : result);
  if (json.length > most) throw new Error(`Expected a result of at most ${most} characters of JSON, got ${json.length}. Return less.`);
  return { value: JSON.parse(json) };
}

let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece) => {
  text += piece;
});
process.stdin.on('end', () => {
  run(JSON.parse(text))
    .catch((error) => ({ error: (error instanceof Error ? (error.stack ?? error.message) : inspect(error)).slice(0, 4_000) }))
    .then((report) => {
      if (folder) write('ended', '');
      process.stdout.write(`\n${JSON.stringify(report)}\n`, () => process.exit(0));
    });
});
