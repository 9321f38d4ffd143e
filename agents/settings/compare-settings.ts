import type { DescribedSetting } from './describe-settings.ts';

export interface SettingDifference {
  name: string;
  /** The worker's value, and this process's; null if it is not set there. */
  worker: string | null;
  here: string | null;
}

/** What a stack sets for its workers itself, whatever the shell says. */
const setByStack = /^(LONGHAUL_HOME|TEMPORAL_.*|DATABASE_URL|DOCKER_.*|SANDBOX_IMAGE)$/;
/** Where no provider is set, a stack gives its workers the address of the scripted model. */
const setForScriptedModel = /^(OPENAI_(BASE_URL|API_KEY)|LONGHAUL_MODEL|models\..*)$/;

/** The settings in which a worker differs from this process. */
export function compareSettings(
  worker: readonly DescribedSetting[],
  here: readonly DescribedSetting[],
  { scripted }: { scripted: boolean },
): SettingDifference[] {
  const ofWorker = valuesOf(worker);
  const ofHere = valuesOf(here);
  const isScripted = scripted && ofWorker.get('LONGHAUL_MODEL') === 'scripted';
  return [...new Set([...ofWorker.keys(), ...ofHere.keys()])]
    .filter((name) => !setByStack.test(name) && !(isScripted && setForScriptedModel.test(name)))
    .map((name) => ({ name, worker: ofWorker.get(name) ?? null, here: ofHere.get(name) ?? null }))
    .filter((one) => one.worker !== one.here);
}

function valuesOf(settings: readonly DescribedSetting[]): Map<string, string | null> {
  return new Map(settings.map(({ name, value }) => [name, value]));
}
