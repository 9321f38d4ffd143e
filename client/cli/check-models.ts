import { type Role, roles } from '../../agents/role.ts';
import { turnLimit } from '../../agents/run-limits.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Source, Sourced } from '../../config/layer.ts';
import { callSettingsOf, type SourcedCallSettings, valuesOf } from '../../models/call-settings-of-role.ts';
import { createModels } from '../../models/create-models.ts';
import { splitModelNames } from '../../models/model-name.ts';
import { embeddingModelOf, modelOf, type ProjectModels } from '../../models/model-of-role.ts';
import type { ModelCallSettings } from '../../models/model-provider.ts';
import { type ModelRole, type TextRole, textRoles } from '../../models/model-role.ts';

/** How long a model may take to say one word. Milliseconds. */
const patience = 30_000;

export interface RoleModels {
  role: ModelRole;
  /** In the order in which they are tried; none where nothing but a model of its own would do. */
  models: ModelCheck[];
  /** Who named them. */
  source: Source;
  /** How they are asked, where somebody says so. */
  settings: Partial<SourcedCallSettings> & { maxTurns?: Sourced<number> };
}

export interface ModelCheck {
  /** `provider/model`. */
  name: string;
  /** Undefined where it was not asked. */
  answers?: boolean;
  /** Milliseconds of its answer, or why there was none. */
  durationMs?: number;
  problem?: string;
}

/** What each role resolves to, with each model asked for one word as the role would ask it, unless `ask` is false. */
export async function checkModels(
  { model, agents }: Configuration,
  { ask, project = {} }: { ask: boolean; project?: ProjectModels & { maxTurns?: number | undefined } },
): Promise<RoleModels[]> {
  const models = createModels(model);
  const checks = new Map<string, Promise<ModelCheck>>();

  function check(name: string, settings: ModelCallSettings): Promise<ModelCheck> {
    if (!ask) return Promise.resolve({ name });
    const key = JSON.stringify([name, settings]);
    const known = checks.get(key) ?? askForOneWord(name, settings);
    checks.set(key, known);
    return known;
  }

  async function askForOneWord(name: string, settings: ModelCallSettings): Promise<ModelCheck> {
    const since = performance.now();
    try {
      await models.complete(name, {
        ...settings,
        messages: [{ role: 'user', content: { text: 'Answer with the one word: ready' } }],
        tools: [],
        labels: { Role: 'check', Turn: '1' },
        signal: AbortSignal.timeout(patience),
      });
      return { name, answers: true, durationMs: Math.round(performance.now() - since) };
    } catch (error) {
      return { name, answers: false, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async function lookAt(role: TextRole): Promise<RoleModels> {
    const { value, source } = modelOf(model, role, project);
    const calls = callSettingsOf(model, role);
    const asked = splitModelNames(value).map((name) => check(name, valuesOf(calls)));
    const maxTurns = hasAgent(role) ? turnLimit(role, project, agents.maxTurns) : undefined;
    return { role, models: await Promise.all(asked), source, settings: { ...calls, ...(maxTurns && { maxTurns }) } };
  }

  return [...(await Promise.all(textRoles.map(lookAt))), embedding(model)];
}

/** It is not asked: it makes vectors, not words. */
function embedding(model: Configuration['model']): RoleModels {
  const { value, source } = embeddingModelOf(model);
  return { role: 'embedding', models: [{ name: value }], source, settings: {} };
}

function hasAgent(role: TextRole): role is Role {
  return (roles as readonly string[]).includes(role);
}
