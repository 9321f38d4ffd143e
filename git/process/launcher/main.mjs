import { runProcess } from './run-process.mjs';

// Starts git for its parent: receives `{ id, args, options }`, sends `{ id, result }`. Ends with the channel, once all running commands have ended.
process.on('SIGINT', () => {}); // Ctrl-C reaches the whole process group; the parent decides when to end

process.on('message', async ({ id, args, options }) => {
  const result = await runProcess(args, options);
  if (process.connected) process.send({ id, result }, () => {}); // ignores a failed send: the parent is gone
});
