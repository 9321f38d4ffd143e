import './check-node.cjs';

// npm run setup: runs every step of set-up; `setup.mjs dependencies` and `setup.mjs build` stop after that step.
const until = process.argv[2];
try {
  if (until !== undefined && until !== 'dependencies' && until !== 'build') {
    throw new Error(`Expected nothing, "dependencies" or "build" after setup.mjs, got "${until}".`);
  }
  const { prepare } = await import('./prepare.mjs');
  const { setUp } = await import('./set-up.mjs');
  const { root, reporter } = await prepare({ until });
  if (until === undefined) await setUp(root, reporter, { afresh: true });
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
