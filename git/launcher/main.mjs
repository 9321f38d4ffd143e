import { execa } from 'execa';

// Starts git for its parent: `{ id, args, options }` comes, `{ id, result }` goes. Ends with the channel, once what runs has ended.
process.on('SIGINT', () => {}); // Ctrl-C reaches the whole group; it is for the parent to say when to end

process.on('message', async ({ id, args, options }) => {
  const { exitCode, code, stdout, stderr, isMaxBuffer, shortMessage } = await execa('git', args, options);
  const result = { exitCode, code, stdout, stderr, isMaxBuffer, shortMessage };
  if (process.connected) process.send({ id, result }, () => {}); // a parent that is gone asks no more
});
