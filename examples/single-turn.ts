import { connectLonghaul } from '../client/index.ts';

// One question, one answer, as a function for use in other programs. Needs a stack: longhaul up -d.
// node dist/examples/single-turn.js "What is a slug?"
const [question = 'What is a slug?'] = process.argv.slice(2);

console.log(await ask(question));

async function ask(text: string): Promise<string> {
  const longhaul = await connectLonghaul();
  try {
    const chat = await longhaul.chat();
    for await (const event of chat.send(text)) {
      if (event.type === 'answer') return event.text;
      if (event.type === 'failure') throw new Error(event.reason);
    }
    throw new Error('Expected an answer.');
  } finally {
    await longhaul.close();
  }
}
