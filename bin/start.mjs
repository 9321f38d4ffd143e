import './check-node.cjs';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { namesModel } from './without-own-servers.mjs';

// npm start: sets everything up, then takes the example, or a goal where a model is set, from start to end.
const scriptedNotice = 'No model key is set: the example runs on a scripted model; everything else is real.';
const announced = !mayHaveModel(process.env);
if (announced) console.log(scriptedNotice);
try {
  const { prepare } = await import('./prepare.mjs');
  const { importBuilt } = await import('./set-up.mjs');
  const { root, reporter } = await prepare();
  const { npmStart } = await importBuilt(root, 'client/cli/npm-start.js');
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

/** False where surely none is set; what there is can be read only when dependencies are installed. */
function mayHaveModel(environment) {
  const home = environment.LONGHAUL_HOME || join(homedir(), '.longhaul');
  if (Object.entries(environment).some(([name, value]) => value && namesModel.test(name))) return true;
  return existsSync(home) && readdirSync(home).some((file) => file === '.env' || file.startsWith('longhaul.config.'));
}
