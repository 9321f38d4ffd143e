import { availableParallelism } from 'node:os';

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/(e2e|service)/', '\\.service\\.test\\.ts$'],
      globalSetup: '<rootDir>/test/support/begin-run.mjs',
      globalTeardown: '<rootDir>/test/support/end-run.mjs',
    },
    {
      ...shared,
      displayName: 'service',
      testEnvironment: '<rootDir>/test/support/native-arrays-environment.mjs',
      testMatch: ['<rootDir>/test/**/*.service.test.ts', '<rootDir>/test/service/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/begin-service-run.mjs',
      globalTeardown: '<rootDir>/test/support/end-service-run.mjs',
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/begin-run.mjs',
      globalTeardown: '<rootDir>/test/support/end-run.mjs',
    },
  ],
  // Tests wait for servers and processes more than they compute.
  maxWorkers: availableParallelism() + 2,
  // An upper bound for what hangs; a busy machine takes many times what a quiet one does.
  testTimeout: 600_000,
  // A worker that has run many files holds their modules; it makes place for a new one.
  workerIdleMemoryLimit: '500MB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
};
