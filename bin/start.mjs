import './check-node.mjs';

// npm start: sets everything up, then takes the example, or a goal where a model is set, from start to end.
const { OPENAI_API_KEY, OPENAI_BASE_URL } = process.env;
if (!OPENAI_API_KEY && !OPENAI_BASE_URL) {
  console.log('No model key is set: the example runs on a scripted model; everything else is real.');
}
try {
  const { prepare } = await import('./prepare.mjs');
  const { importBuilt } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { npmStart } = await importBuilt(root, 'client/cli/npm-start.js');
  process.exitCode = await npmStart({ reporter, environment: process.env, parameters: process.argv.slice(2) });
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
