// Writes answers for a program of an agent, then waits for calls that have none. Both come as JSON: the answers on standard input, the calls on the last
// line of output, which is an empty list if the program has ended or nothing came in time.
const { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');

/** Characters of the calls that are shown at once; the others come next time. */
const most = 14_000;
/** Milliseconds in which calls that were made at once all arrive. */
const gather = 25;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function open(folder) {
  if (!existsSync(folder)) return [];
  const names = new Set(readdirSync(folder));
  const numbers = [...names].filter((name) => name.endsWith('.call')).map((name) => Number.parseInt(name, 10));
  return numbers.filter((number) => !names.has(`${number}.answer`)).sort((one, other) => one - other);
}

async function exchange({ name, answers, waitMs }) {
  const folder = join(homedir(), '.longhaul', 'programs', name);
  for (const { number, ...answer } of answers) {
    writeFileSync(join(folder, `${number}.new`), JSON.stringify(answer));
    renameSync(join(folder, `${number}.new`), join(folder, `${number}.answer`));
  }
  for (const end = Date.now() + waitMs; Date.now() < end && !existsSync(join(folder, 'ended')); await pause(gather)) {
    if (!open(folder).length) continue;
    await pause(gather);
    const calls = [];
    let size = 0;
    for (const number of open(folder)) {
      const text = readFileSync(join(folder, `${number}.call`), 'utf8');
      size += text.length;
      if (calls.length && size > most) break;
      calls.push(JSON.parse(text));
    }
    return calls;
  }
  return [];
}

let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece) => {
  text += piece;
});
process.stdin.on('end', async () => process.stdout.write(`\n${JSON.stringify(await exchange(JSON.parse(text)))}\n`));
