import { type Role, roles } from '../../agents/role.ts';
import type { Configuration } from '../../config/configuration.ts';
import { createModels } from '../../models/create-models.ts';
import { splitModelNames } from '../../models/model-name.ts';
import { modelOf } from '../../models/model-of-role.ts';

/** How long a model may take to say one word. Milliseconds. */
const patience = 30_000;

export interface RoleModels {
  role: Role;
  /** In the order in which they are tried. */
  models: ModelCheck[];
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

/** What each role resolves to, with each model asked for one word unless `ask` is false. */
export async function checkModels({ model }: Configuration, ask: boolean): Promise<RoleModels[]> {
  const models = createModels(model);
  const checks = new Map<string, Promise<ModelCheck>>();
  async function check(name: string): Promise<ModelCheck> {
    const since = performance.now();
    try {
      await models.complete(name, {
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
  return Promise.all(
    roles.map(async (role) => {
      const names = splitModelNames(modelOf(model, role));
      for (const name of names) if (!checks.has(name)) checks.set(name, ask ? check(name) : Promise.resolve({ name }));
      return { role, models: await Promise.all(names.map((name) => checks.get(name) as Promise<ModelCheck>)) };
    }),
  );
}
