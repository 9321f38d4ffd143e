// Errors tell their places in the sources, in this thread alone: `--enable-source-maps` holds for the threads of workflows too, which create an error
// for each promise, and a turn takes 4% longer.
process.setSourceMapsEnabled(true);
const { serve } = await import('./serve.ts'); // late, since only what is loaded from now on counts
await serve();
// Libraries' sockets that cannot be closed may keep the process alive; everything that Longhaul opened is closed by now.
process.exit(0);
