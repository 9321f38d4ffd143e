import { turnLimit } from '../../agents/run-limits.ts';
import { formatDuration } from '../../client/format/time.ts';
import type { Configuration } from '../../config/configuration.ts';
import { isLoopback } from '../../domain/addresses.ts';
import { callSettingsOf, type SourcedCallSettings, valuesOf } from '../../domain/model/call-settings-of-role.ts';
import type { Source, Sourced } from '../../domain/model/layer.ts';
import { parseModelName, providerNamesOf, splitModelNames } from '../../domain/model/model-name.ts';
import { embeddingModelOf, modelOf, nameModel, type ProjectModels } from '../../domain/model/model-of-role.ts';
import type { ModelCallSettings } from '../../domain/model/model-provider.ts';
import { type ModelRole, type TextRole, textRoles } from '../../domain/model/model-role.ts';
import { type Role, roles } from '../../domain/run/role.ts';
import { createModels } from '../../models/create-models.ts';
import { localModelFolder } from '../../models/embedding/local-model.ts';
import { openEmbedder } from '../../models/embedding/open-embedder.ts';
import { alignColumns } from '../render/columns.ts';
import { printableLine } from '../render/printable.ts';
import type { Colors } from '../render/style.ts';
import { originOf } from './describe-settings.ts';

/** Milliseconds for a model to say one word; a local one may have to be loaded first. */
const timeoutMs = { away: 30_000, here: 120_000 };

export interface RoleModels {
  role: ModelRole;
  /** In the order of trying; empty if the role needs its own model and has none. */
  models: ModelCheck[];
  /** Where the setting comes from. */
  source: Source;
  /** Call settings that are set. */
  settings: Partial<SourcedCallSettings> & { maxTurns?: Sourced<number> };
}

export interface ModelCheck {
  /** `provider/model`. */
  name: string;
  /** Undefined if it was not called. */
  answers?: boolean;
  /** Milliseconds until its answer; without an answer, `problem` says why. */
  durationMs?: number;
  problem?: string;
}

/** The models that each role resolves to; unless `ask` is false, each is asked for one word (or a vector), with the settings of the role. */
export async function checkModels(
  { model, agents, memory, home }: Configuration,
  {
    ask,
    project = {},
    environment = {},
  }: {
    ask: boolean;
    project?: ProjectModels & { maxTurns?: number | undefined };
    /** The environment including `.env`. */
    environment?: Record<string, string | undefined>;
  },
): Promise<RoleModels[]> {
  const models = createModels(model);
  const checks = new Map<string, Promise<ModelCheck>>();
  /** By local provider, the last check: its models may not fit into memory side by side. */
  const last = new Map<string, Promise<unknown>>();

  function check(name: string, settings: ModelCallSettings): Promise<ModelCheck> {
    if (!ask) return Promise.resolve({ name });
    const key = JSON.stringify([name, settings]);
    const known = checks.get(key) ?? inTurn(name, settings);
    checks.set(key, known);
    return known;
  }

  function inTurn(name: string, settings: ModelCallSettings): Promise<ModelCheck> {
    const { provider } = parseModelName(name, providerNamesOf(model));
    if (!isHere(model.providers[provider]?.baseUrl)) return askForOneWord(name, settings, timeoutMs.away);
    const asked = (last.get(provider) ?? Promise.resolve()).then(() => askForOneWord(name, settings, timeoutMs.here));
    last.set(provider, asked);
    return asked;
  }

  async function askForOneWord(name: string, settings: ModelCallSettings, most: number): Promise<ModelCheck> {
    const since = performance.now();
    const signal = AbortSignal.timeout(most);
    try {
      await models.complete(name, {
        ...settings,
        messages: [{ role: 'user', content: { text: 'Answer with the one word: ready' } }],
        tools: [],
        labels: { Role: 'check', Turn: '1' },
        signal,
      });
      return { name, answers: true, durationMs: Math.round(performance.now() - since) };
    } catch (error) {
      if (signal.aborted) return { name, answers: false, problem: `no answer within ${most / 1000} s` };
      return { name, answers: false, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  const from = (source: Source, variable: string, role: ModelRole) =>
    originOf(source, `${variable}_${role.toUpperCase()}`, environment);

  async function lookAt(role: TextRole): Promise<RoleModels> {
    const { value, source } = modelOf(model, role, project);
    const calls = callSettingsOf(model, role);
    const asked = model.scripted
      ? scriptedInPlaceOf(value, source)
      : value
        ? splitModelNames(value).map((name) => check(name, valuesOf(calls)))
        : [{ name: 'none', answers: false, problem: `No model is set. ${nameModel}` }];
    const maxTurns = hasAgent(role) ? turnLimit(role, project, agents.maxTurns) : undefined;
    const { reasoningEffort: effort } = calls;
    const reasoningEffort = effort && { ...effort, source: from(effort.source, 'LONGHAUL_REASONING_EFFORT', role) };
    return {
      role,
      models: await Promise.all(asked),
      source: from(source, 'LONGHAUL_MODEL', role),
      settings: { ...calls, ...(reasoningEffort && { reasoningEffort }), ...(maxTurns && { maxTurns }) },
    };
  }

  async function lookAtEmbedding(): Promise<RoleModels> {
    const { value, source } = embeddingModelOf(model);
    const isAsked = ask && value !== 'none';
    const checked = isAsked ? await askForVector(value) : { name: value };
    return { role: 'embedding', models: [checked], source: from(source, 'LONGHAUL_MODEL', 'embedding'), settings: {} };
  }

  async function askForVector(name: string): Promise<ModelCheck> {
    const since = performance.now();
    try {
      const { embedder, notice } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
      if (!embedder) return { name, answers: false, problem: notice ?? 'The model cannot be opened.' };
      await embedder.embed(['ready'], 'query');
      return { name, answers: true, durationMs: Math.round(performance.now() - since) };
    } catch (error) {
      return { name, answers: false, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  return Promise.all([...textRoles.map(lookAt), lookAtEmbedding()]);
}

function isHere(baseUrl: string | undefined): boolean {
  return baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname);
}

/** No provider is configured, so named models are not called. */
function scriptedInPlaceOf(value: string, source: Source): ModelCheck[] {
  if (source === 'default') return [{ name: 'scripted' }];
  const problem = 'no key or address of a provider is set, so the scripted model answers';
  return splitModelNames(value).map((name) => ({ name, answers: false, problem }));
}

function hasAgent(role: TextRole): role is Role {
  return (roles as readonly string[]).includes(role);
}

/**
 * Renders the output of `longhaul models`: a line per model of each role, in the order they are tried, with the source of each setting in brackets.
 */
export function renderModels(found: RoleModels[], colors: Colors): string {
  const rows = found.flatMap(({ role, models, source, settings }) => {
    const details = [`(${source})`, describeSettings(settings)].filter(Boolean).join(' ');
    return models.map((model, index) =>
      index === 0
        ? [role, model.name, details, describe(model, colors)]
        : ['', model.name, '', describe(model, colors)],
    );
  });
  return alignColumns(rows)
    .map((line) => line.trimEnd())
    .join('\n');
}

function describeSettings({ reasoningEffort, maxOutputTokens, temperature, maxTurns }: RoleModels['settings']): string {
  const details = [
    reasoningEffort && `effort ${reasoningEffort.value} (${reasoningEffort.source})`,
    maxOutputTokens && `at most ${maxOutputTokens.value} tokens (${maxOutputTokens.source})`,
    temperature && `temperature ${temperature.value} (${temperature.source})`,
    maxTurns && `${maxTurns.value} turns (${maxTurns.source})`,
  ];
  return details.filter(Boolean).join(', ');
}

function describe({ answers, durationMs, problem }: ModelCheck, colors: Colors): string {
  if (answers === undefined) return '';
  if (answers) return `${colors.green('answers')} after ${formatDuration(durationMs ?? 0)}`;
  return `${colors.red('does not answer')}: ${printableLine(problem ?? '')}`;
}
