// The interpreter that keeps the state of JavaScript code between calls. Argument: the path of its socket.
//
// Same protocol as the Python kernel, except that printed text is sent as frames {"out"} and that it ends a call itself when its time is up.
const { createRequire } = require('node:module');
const { Session } = require('node:inspector');
const { createServer } = require('node:net');
const { inspect } = require('node:util');

const most = { result: 3_900, error: 6_000, before: 4_000 };
const key = Symbol('result');
const session = new Session();
session.connect();
globalThis.require = createRequire('/workspace/');
globalThis[Symbol.for('longhaul.keep')] = (value) => {
  globalThis[key] = value;
};

let before = '';
/** The socket that waits for the current call to end. */
let connection;

const print = (text) => {
  if (connection) connection.write(frame({ out: text }));
  else before = (before + text).slice(-most.before);
};
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, encoding, done) => {
    print(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) process.nextTick(callback);
    return true;
  };
}
/** Stops waiting for the current call, which may keep running. */
let stop = () => {};
process.on('SIGINT', () => stop());
process.on('uncaughtException', (error) => print(`Uncaught ${inspect(error)}\n`));
process.on('unhandledRejection', (error) => print(`Unhandled rejection ${inspect(error)}\n`));

function frame(message) {
  const data = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, data]);
}

function clip(text, limit) {
  const half = Math.floor(limit / 2);
  return text.length <= limit
    ? text
    : `${text.slice(0, half)}\n[... ${text.length - 2 * half} characters left out ...]\n${text.slice(-half)}`;
}

function post(method, parameters) {
  return new Promise((resolve, reject) => {
    session.post(method, parameters, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

/** The value of the code, or the error. As in a REPL, `let` may redeclare a variable and `await` works at the top level. */
async function evaluate({ code, milliseconds }) {
  let timer;
  let isStopped = false;
  const since = performance.now();
  const late = new Promise((_resolve, reject) => {
    stop = () => {
      isStopped = true;
      reject(new Error('stopped'));
    };
    timer = setTimeout(stop, milliseconds);
  });
  try {
    const evaluated = post('Runtime.evaluate', {
      expression: code,
      replMode: true,
      awaitPromise: true,
      timeout: milliseconds,
    });
    const { result, exceptionDetails } = await Promise.race([evaluated, late]);
    if (exceptionDetails) return { error: describeException(exceptionDetails) };
    return { result: await show(result) };
  } catch (error) {
    // V8 ends a loop at its timeout; its words for that differ by version, such as "Internal error".
    const isLate = isStopped || performance.now() - since >= milliseconds;
    return isLate ? { error: 'It was stopped when its time was up.', late: true } : { error: error.message };
  } finally {
    clearTimeout(timer);
  }
}

async function show(result) {
  if (result.type === 'undefined') return undefined;
  if (result.objectId === undefined) return result.unserializableValue ?? inspect(result.value);
  if (result.type === 'symbol') return result.description;
  await post('Runtime.callFunctionOn', {
    objectId: result.objectId,
    functionDeclaration: "function () { globalThis[Symbol.for('longhaul.keep')](this); }",
  });
  const shown = inspect(globalThis[key], { depth: 4, maxArrayLength: 100, maxStringLength: most.result });
  delete globalThis[key];
  return shown;
}

function describeException({ exception, text }) {
  if (exception?.description === undefined) return `${text} ${exception ? inspect(exception.value) : ''}`.trim();
  const [first, ...rest] = exception.description.split('\n');
  return [first, ...rest.filter((line) => !/\(?(node:|\[eval\])|at new Promise \(<anonymous>\)/.test(line))].join('\n');
}

createServer((socket) => {
  let received = Buffer.alloc(0);
  socket.on('error', () => {}); // the client disconnected
  socket.on('close', () => {
    if (connection === socket) connection = undefined;
  });
  socket.on('data', async (piece) => {
    received = Buffer.concat([received, piece]);
    if (received.length < 4 || received.length < 4 + received.readUInt32BE(0)) return;
    const request = JSON.parse(received.subarray(4).toString('utf8'));
    connection = socket;
    socket.write(frame({ before }));
    before = '';
    const { result, error, late } = await evaluate(request);
    connection = undefined;
    const done = { done: true, late, result: result && clip(result, most.result), error: error && clip(error, most.error) };
    socket.end(frame(done));
  });
}).listen(process.argv[1]);
