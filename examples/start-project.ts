import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { connectLonghaul } from '../client/index.ts';

// Starts a project, pauses and resumes it, waits for its end and prints its report. Needs a stack: longhaul up -d.
// node dist/examples/start-project.js examples/spend/goal.md ./spend
const [goalFile = 'examples/spend/goal.md', folder = 'spend'] = process.argv.slice(2);

const longhaul = await connectLonghaul();
try {
  const project = await longhaul.startProject({
    goal: await readFile(goalFile, 'utf8'),
    folder: resolve(folder),
    onProgress({ data }) {
      if (data.type === 'feature.changed') console.error(`${data.feature}: ${data.status}`);
      if (data.type === 'session.started') console.error(`session ${data.number} on ${data.feature}`);
    },
  });
  console.error(`started ${project.id}`);

  await project.pause({ reason: 'To show that it can be paused.' });
  console.error(`it is ${(await project.status()).status}`);
  await project.resume();

  const { status, reason } = await project.waitForEnd({ orRest: true });
  console.error(`it is ${status}: ${reason}`);
  console.log(await project.report());
} finally {
  await longhaul.close();
}
