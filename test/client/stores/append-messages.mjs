// Adds messages to a conversation from a process of its own: node append-messages.mjs <database url> <conversation> <writer> <count>

import { connectDatabase } from '../../../dist/db/connection/database.js';
import { createConversationStore } from '../../../dist/db/stores/conversation-store.js';

const [url, id, writer, count] = process.argv.slice(2);
const { database, close } = connectDatabase(url, { maxConnections: 1 });
const store = createConversationStore(database);
for (let index = 0; index < Number(count); index += 1)
  await store.append(id, { role: 'user', text: `${writer}.${index}`, id: `${writer}.${index}` });
await close();
