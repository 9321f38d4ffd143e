import './check-node.cjs';

// npm run build: dependencies where they are missing, then dist/.
try {
  const { prepare } = await import('./prepare.mjs');
  await prepare();
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
