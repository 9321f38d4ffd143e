const nodeBuiltIns = { dependencyTypes: ['core'] };

/** The directions of docs/how-it-works.md, as rules. */
export default {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'workflows-are-deterministic',
      comment:
        'Workflow code runs in a sandbox without Node: no built-ins, no clients, no database; from activities and agents only types.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { ...nodeBuiltIns },
    },
    {
      name: 'workflows-know-no-effects',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^(activities|client|sandbox|git|setup|workers|testing)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-take-only-types-from-the-database',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^db/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'stores-know-no-temporal',
      severity: 'error',
      from: { path: '^(db|sandbox|git|agents|models)/' },
      to: { path: '(^(activities|client|workers|workflows|setup)/|node_modules/@temporalio)' },
    },
    {
      name: 'activities-do-not-know-who-runs-them',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: '^(client|workers|setup)/' },
    },
    {
      name: 'client-touches-no-worker',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(activities|workers)/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-tests-in-the-product', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
