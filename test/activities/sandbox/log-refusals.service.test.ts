import { afterAll, expect, test } from '@jest/globals';
import { logRefusals } from '../../../activities/sandbox/log-refusals.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { ScriptedSandboxes } from '../../../testing/scripted-sandbox/scripted-sandboxes.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
const sandboxes = new ScriptedSandboxes();
afterAll(() => sandboxes.dispose());

test('what was refused a sandbox is logged once for each host, however often it is looked at', async () => {
  const projectId = 'project-refusals';
  await seedProject(database, projectId);
  const refuse = (sandbox: string, host: string) => sandboxes.refuse(sandbox, { host, port: 443, why: `not ${host}` });
  const look = (sandbox: string) => logRefusals({ database, sandboxes }, { projectId, sandbox });
  const logged = async () =>
    (await readEvents(database, projectId)).flatMap(({ data }) =>
      data.type === 'network-refused'
        ? [`${data.sandbox}: ${data.refusals.map(({ host, why }) => `${host} ${why}`)}`]
        : [],
    );
  await look('s1');
  expect(await logged()).toEqual([]);
  refuse('s1', 'a.example');
  await look('s1');
  await look('s1');
  refuse('s1', 'b.example');
  refuse('s2', 'a.example');
  await look('s1');
  await look('s2');
  expect(await logged()).toEqual([
    's1: a.example:443 not a.example',
    's1: b.example:443 not b.example',
    's2: a.example:443 not a.example',
  ]);
});
