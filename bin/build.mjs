import './check-node.cjs';

// npm run build: installs missing dependencies, then builds dist/.
try {
  const { prepare } = await import('./prepare.mjs');
  await prepare();
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
