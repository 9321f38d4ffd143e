import './check-node.cjs';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { namesModel } from './without-own-servers.mjs';

// npm start: sets everything up, then runs the example, or a goal if a model is set, from start to finish.
const scriptedNotice = 'No model key is set: the example runs on a scripted model; everything else is real.';
const announced = !mayHaveModel(process.env);
if (announced) console.log(scriptedNotice);
try {
  const { prepare } = await import('./prepare.mjs');
  const { importBuilt } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { npmStart } = await importBuilt(root, 'cli/npm-start.js');
  process.exitCode = await npmStart({
    reporter,
    environment: process.env,
    parameters: process.argv.slice(2),
    ...(!announced && { scriptedNotice }),
  });
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}

/** False only if certainly no model is set; the settings themselves can be read only once dependencies are installed. */
function mayHaveModel(environment) {
  const home = environment.LONGHAUL_HOME || join(homedir(), '.longhaul');
  if (Object.entries(environment).some(([name, value]) => value && namesModel.test(name))) return true;
  return existsSync(home) && readdirSync(home).some((file) => file === '.env' || file.startsWith('longhaul.config.'));
}
