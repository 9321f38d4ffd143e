import { z } from 'zod';
import { splitModelNames } from '../domain/model/model-name.ts';
import { type ModelProvider, reasoningEfforts } from '../domain/model/model-provider.ts';
import { modelRoles, textRoles } from '../domain/model/model-role.ts';
import { isHostEntry } from '../domain/network/host-pattern.ts';
import { isNetworkPolicy, type NetworkPolicy, networkPolicyExpected } from '../domain/network/network-policy.ts';
import { budgetsSchema } from '../domain/project/budgets-schema.ts';
import { roles } from '../domain/run/role.ts';
import { logFormats, logLevels } from '../domain/telemetry/log.ts';
import type { TraceSink } from '../domain/telemetry/span.ts';
import type { LonghaulConfig } from './define-config.ts';
import { mcpServersSchema } from './settings/mcp-servers.ts';
import { smallestWindow } from './settings/model-settings.ts';
import { isHttp, isMetricsAddress, metricsExpected } from './settings/telemetry-settings.ts';

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional();

function byName<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) {
  const shape = Object.fromEntries(names.map((name) => [name, optional(schema)]));
  return optional(z.strictObject(shape as Record<Name, z.ZodOptional<Schema>>));
}

const modelNames = z.custom<string | string[]>(
  (value) => {
    const names = Array.isArray(value) ? value : [value];
    return names.length > 0 && names.every((name) => typeof name === 'string' && splitModelNames(name).length > 0);
  },
  { error: 'expected "provider/model", or a list of such names' },
);

const modelSettings = z.strictObject({
  reasoningEffort: optional(z.enum(reasoningEfforts)),
  maxOutputTokens: optional(z.int().min(1)),
  temperature: optional(z.number().min(0).max(2)),
});

const provider = z.custom<ModelProvider>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    /^[a-z0-9_-]+$/.test(value.name) &&
    'complete' in value &&
    typeof value.complete === 'function',
  { error: 'expected a ModelProvider: { name, complete(request, onDelta) }, its name of a-z, 0-9, "-" and "_"' },
);

const sink = z.custom<TraceSink>(
  (value) => typeof value === 'object' && value !== null && 'onSpan' in value && typeof value.onSpan === 'function',
  { error: 'expected a TraceSink: { onSpan(span), close?() }' },
);

const registry = z.custom<string>(isHostEntry, {
  error: 'expected a host name such as npm.example.org, *.example.org or npm.example.org:8443',
});
const moduleNames = z.array(z.string().regex(/^[\w./@-]+$/, { error: 'expected the name of a module' }));

/** Schema of `longhaul.config.ts`. */
export const configSchema: z.ZodType<LonghaulConfig> = z.strictObject({
  models: byName([...modelRoles, 'default'], modelNames),
  modelSettings: byName([...textRoles, 'default'], modelSettings),
  contextWindows: optional(z.record(z.string().min(1), optional(z.int().min(smallestWindow)))),
  textOnlyModels: optional(z.array(z.string().trim().min(1))),
  maxTurns: byName(roles, z.int().min(1).max(1000)),
  providers: optional(z.array(provider)),
  budgets: optional(budgetsSchema),
  stuck: optional(z.strictObject({ sameCalls: optional(z.int().min(2)), idleTurns: optional(z.int().min(1)) })),
  chat: optional(
    z.strictObject({
      toolCalls: optional(z.int().min(0)),
      tokens: optional(z.int().min(1000)),
      idleMinutes: optional(z.number().positive().max(10_000)),
      network: optional(z.custom<NetworkPolicy>(isNetworkPolicy, { error: networkPolicyExpected })),
      extractMemories: optional(z.boolean()),
    }),
  ),
  registries: optional(z.array(registry)),
  tools: optional(
    z.strictObject({
      imports: optional(z.strictObject({ python: optional(moduleNames), javascript: optional(moduleNames) })),
      timeoutSeconds: optional(z.int().min(1).max(3600)),
      memoryMegabytes: optional(z.int().min(64).max(16_384)),
    }),
  ),
  sandbox: optional(
    z.strictObject({
      diskGigabytes: optional(z.number().min(0.1).max(10_000)),
      files: optional(z.int().min(1000).max(100_000_000)),
      runtime: optional(z.string().regex(/^[\w.-]+$/, { error: 'expected the name of a runtime, such as runsc' })),
      seccomp: optional(z.string().trim().min(1)),
      userns: optional(z.string().trim().min(1)),
    }),
  ),
  mcpServers: optional(mcpServersSchema),
  permissions: optional(
    z.strictObject({
      allow: optional(z.array(z.string())),
      ask: optional(z.array(z.string())),
      deny: optional(z.array(z.string())),
      deadlineHours: optional(z.number().positive().max(10_000)),
      defaultAnswer: optional(z.enum(['yes', 'no'])),
    }),
  ),
  review: optional(z.boolean()),
  steeringFiles: optional(z.array(z.string().trim().min(1))),
  mutationSeconds: optional(z.int().min(0).max(3600)),
  minMutationScore: optional(z.int().min(0).max(100)),
  agents: optional(z.array(z.string().trim().min(1))),
  projectRoots: optional(z.array(z.string().trim().min(1))),
  prompts: optional(z.string().trim().min(1)),
  tracing: optional(
    z.strictObject({
      endpoint: optional(z.string().refine(isHttp, { error: 'expected an address such as http://127.0.0.1:4318' })),
      headers: optional(z.record(z.string().min(1), z.string())),
      contents: optional(z.boolean()),
      sinks: optional(z.array(sink)),
    }),
  ),
  metrics: optional(
    z.strictObject({ address: optional(z.custom<number | string>(isMetricsAddress, { error: metricsExpected })) }),
  ),
  logging: optional(z.strictObject({ level: optional(z.enum(logLevels)), format: optional(z.enum(logFormats)) })),
});
