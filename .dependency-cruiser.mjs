const adapters = ['config', 'models', 'db', 'sandbox', 'git', 'temporal', 'mcp', 'telemetry'];

/** What each folder may import besides itself. Type imports count too, with one exception: workflows take the types of the activities that they call. */
const layers = {
  domain: [],
  ...Object.fromEntries(adapters.map((adapter) => [adapter, ['domain']])),
  agents: ['domain', ...adapters],
  activities: ['domain', ...adapters, 'agents'],
  workflows: ['domain', 'agents'],
  workers: ['domain', ...adapters, 'agents', 'activities', 'workflows'],
  client: ['domain', 'config', 'models', 'db', 'git', 'temporal', 'telemetry', 'agents'],
  frameworks: ['domain', 'agents'],
  runtime: ['domain', ...adapters, 'agents', 'activities', 'client', 'frameworks'],
  setup: ['domain', ...adapters, 'agents'],
  cli: [
    'domain',
    'config',
    'models',
    'db',
    'git',
    'temporal',
    'telemetry',
    'agents',
    'client',
    'runtime',
    'setup',
    'workers',
  ],
  testing: ['domain', ...adapters, 'agents', 'activities', 'workflows', 'workers', 'setup', 'client', 'runtime'],
};

/** The directions that CONTRIBUTING.md draws, as rules. */
export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(layers).map(([folder, allowed]) => ({
      name: `${folder}-imports-only-what-is-below`,
      severity: 'error',
      from: { path: `^${folder}/` },
      to: {
        path: '^[^/]+/.+',
        pathNot: [folder, ...allowed, 'node_modules', ...(folder === 'workflows' ? ['activities'] : [])].map(
          (name) => `^${name}/`,
        ),
        dependencyTypesNot: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
      },
    })),
    {
      name: 'workflows-take-only-types-of-activities',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-imports-only-parsers',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^(domain|node_modules/(zod|unbash|picomatch|@types/picomatch))/' },
    },
    {
      name: 'workflows-are-deterministic',
      comment: 'Workflow code runs in a sandbox without Node.',
      severity: 'error',
      from: { path: '^(workflows|runtime/workflow)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'workflows-of-users-take-only-types-of-the-rest',
      severity: 'error',
      from: { path: '^runtime/workflow/' },
      to: {
        path: '^[^/]+/.+',
        pathNot: '^(runtime/workflow|agents/runtime/steps|agents/runtime/agent-error|domain|node_modules)/?',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'adapters-know-no-temporal',
      severity: 'error',
      from: { path: `^(domain|${adapters.join('|')}|agents)/`, pathNot: '^temporal/' },
      to: { path: 'node_modules/@temporalio' },
    },
    {
      name: 'opentelemetry-is-loaded-only-for-traces',
      comment: 'It takes a tenth of a second; open-tracer.ts loads it where traces go somewhere.',
      severity: 'error',
      from: { pathNot: '^(telemetry/(create-tracer|sink-processor)\\.ts|node_modules/)' },
      to: { path: '^(node_modules/@opentelemetry/|telemetry/create-tracer)', dependencyTypesNot: ['dynamic-import'] },
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
