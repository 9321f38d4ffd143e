/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // An upper bound for what hangs; a busy machine takes many times what a quiet one does.
  testTimeout: 300_000,
  // Half of the time a file waits, for containers and for what it killed; with more than two at once they would starve each other.
  maxWorkers: 2,
  // A worker that has run many files holds their modules; it makes place for a new one.
  workerIdleMemoryLimit: '1500MB',
  globalSetup: '<rootDir>/test/support/begin-run.mjs',
  globalTeardown: '<rootDir>/test/support/end-run.mjs',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
};
