import { runProcess } from './run-process.mjs';

// Starts git for its parent: `{ id, args, options }` comes, `{ id, result }` goes. Ends with the channel, once what runs has ended.
process.on('SIGINT', () => {}); // Ctrl-C reaches the whole group; it is for the parent to say when to end

process.on('message', async ({ id, args, options }) => {
  const result = await runProcess(args, options);
  if (process.connected) process.send({ id, result }, () => {}); // a parent that is gone asks no more
});
