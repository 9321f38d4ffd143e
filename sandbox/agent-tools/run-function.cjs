// Runs a function of a user's tool on its input; both come as JSON on standard input, and the last line of output says what became of it.
const { inspect } = require('node:util');

/** Characters of a result; the harness would not read more of it whole. */
const most = 12_000;

/** A function from its source, which may also be that of a method. */
function toFunction(source) {
  try {
    return (0, eval)(`(${source})`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return Object.values((0, eval)(`({${source}})`))[0];
  }
}

async function run({ source, input, callId }) {
  const { signal } = new AbortController();
  const result = await toFunction(source)(input, { callId, idempotencyKey: callId, signal });
  const json = JSON.stringify(result === undefined ? null : result);
  if (json.length > most) throw new Error(`Expected a result of at most ${most} characters of JSON, got ${json.length}.`);
  return { value: JSON.parse(json) };
}

let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece) => {
  text += piece;
});
process.stdin.on('end', () => {
  run(JSON.parse(text))
    .catch((error) => ({ error: (error instanceof Error ? error.message : inspect(error)).slice(0, 4_000) }))
    .then((report) => process.stdout.write(`\n${JSON.stringify(report)}\n`, () => process.exit(0)));
});
