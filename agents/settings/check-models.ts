import type { Configuration } from '../../config/configuration.ts';
import { callSettingsOf, type SourcedCallSettings, valuesOf } from '../../domain/model/call-settings-of-role.ts';
import type { Source, Sourced } from '../../domain/model/layer.ts';
import { splitModelNames } from '../../domain/model/model-name.ts';
import { embeddingModelOf, modelOf, nameModel, type ProjectModels } from '../../domain/model/model-of-role.ts';
import { type ModelRole, type TextRole, textRoles } from '../../domain/model/model-role.ts';
import { type Role, roles } from '../../domain/run/role.ts';
import { localModelFolder } from '../../models/embedding/local-model.ts';
import { openEmbedder } from '../../models/embedding/open-embedder.ts';
import { turnLimit } from '../run-limits.ts';
import { createModelCheck, type ModelCheck } from './create-model-check.ts';
import { originOf } from './describe-settings.ts';

export interface RoleModels {
  role: ModelRole;
  /** In the order of trying; empty if the role needs its own model and has none. */
  models: ModelCheck[];
  /** Where the setting comes from. */
  source: Source;
  /** Call settings that are set. */
  settings: Partial<SourcedCallSettings> & { maxTurns?: Sourced<number> };
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
  const check = ask ? createModelCheck(model) : async (name: string): Promise<ModelCheck> => ({ name });

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

/** No provider is configured, so named models are not called. */
function scriptedInPlaceOf(value: string, source: Source): ModelCheck[] {
  if (source === 'default') return [{ name: 'scripted' }];
  const problem = 'no key or address of a provider is set, so the scripted model answers';
  return splitModelNames(value).map((name) => ({ name, answers: false, problem }));
}

function hasAgent(role: TextRole): role is Role {
  return (roles as readonly string[]).includes(role);
}

/** Asks each of several models, comma-separated, for one word with the settings of the role `chat`. */
export async function checkNamedModels({ model }: Pick<Configuration, 'model'>, names: string): Promise<ModelCheck[]> {
  const check = createModelCheck(model);
  const settings = valuesOf(callSettingsOf(model, 'chat'));
  return Promise.all(splitModelNames(names).map((name) => check(name, settings)));
}
