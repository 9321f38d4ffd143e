import { parseArgs } from 'node:util';
import { ScriptError } from './script/script.ts';
import { startScriptedModel } from './start-scripted-model.ts';

const { values } = parseArgs({
  options: { script: { type: 'string' }, port: { type: 'string' }, host: { type: 'string' } },
});
if (values.script === undefined) {
  console.error('Expected --script <folder> [--port <number>] [--host <address>], got no --script.');
  process.exit(2);
}

const model = await startScriptedModel({
  script: values.script,
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...(values.host === undefined ? {} : { host: values.host }),
}).catch((error: unknown) => {
  if (!(error instanceof ScriptError)) throw error;
  console.error(error.message);
  process.exit(2);
});
console.log(JSON.stringify({ url: model.url }));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void model.close();
  });
}
