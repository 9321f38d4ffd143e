// Enables source maps in this thread only. `--enable-source-maps` would also affect workflow threads, which create an error for each promise: a turn
// would take 4% longer.
process.setSourceMapsEnabled(true);
const { serve } = await import('./serve.ts'); // imported late: source maps apply only to modules loaded from now on
try {
  await serve();
} catch (error) {
  const { LonghaulError } = await import('../domain/longhaul-error.ts');
  // Its message says what to do: `longhaul up` shows the end of the log, where a stack would hide it.
  if (!(error instanceof LonghaulError) || error.kind === 'defect') throw error;
  console.error(error.message);
  process.exit(1);
}
// Libraries' sockets that cannot be closed may keep the process alive; everything that Longhaul opened is closed by now.
process.exit(0);
