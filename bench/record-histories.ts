import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { packageRoot } from '../config/package-root.ts';

// Saves the workflow histories of one project or chat for the replay tests: npm run histories -- <temporal address> <id> <name>
const [address, id, name] = process.argv.slice(2);
if (!address || !id || !name) {
  throw new Error('Expected: npm run histories -- <temporal address> <project or chat id> <name of the recording>.');
}
const connection = await Connection.connect({ address });
const client = new Client({ connection });
const query = `${id.startsWith('chat-') ? 'LonghaulChat' : 'LonghaulProject'} = "${id}"`;
for await (const { workflowId, runId } of client.workflow.list({ query })) {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const suffix = workflowId.slice(id.length).replace(/^-/, '') || id.slice(0, id.indexOf('-'));
  const file = join(packageRoot(), 'test', 'histories', `${name}-${suffix}-${runId.slice(0, 4)}.json`);
  writeFileSync(file, `${JSON.stringify(JSON.parse(historyToJSON(history)))}\n`);
  console.log(`${file}: ${history.events?.length} events`);
}
await connection.close();
