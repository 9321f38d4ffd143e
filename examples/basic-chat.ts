import { connectLonghaul } from '../client/index.ts';

// A chat of two messages that prints each answer as it streams. Running it again continues the same chat.
// Needs a stack: longhaul up -d. Then: node dist/examples/basic-chat.js
const longhaul = await connectLonghaul();
try {
  const chat = await longhaul.chat('basic');
  for (const message of ['My garden lies in the shade.', 'What should I plant in it?']) {
    console.log(`> ${message}`);
    for await (const event of chat.send(message)) {
      if (event.type === 'delta') process.stdout.write(event.text);
      if (event.type === 'tool-ended') console.log(`[${event.tool}: ${event.preview}]`);
      if (event.type === 'failure') console.log(`No answer: ${event.reason}`);
    }
    console.log();
  }
} finally {
  await longhaul.close();
}
