import { type Layer, pick, type Sourced } from './layer.ts';
import type { ModelCallSettings } from './model-provider.ts';
import type { TextRole } from './model-role.ts';

/** The settings that are set, each with its source. */
export type SourcedCallSettings = {
  [Name in keyof ModelCallSettings]-?: Sourced<NonNullable<ModelCallSettings[Name]>> | undefined;
};

/** How a role's models are called; settings that are absent are left to the provider. */
export function callSettingsOf({ calls }: { calls: Layer<ModelCallSettings>[] }, role: TextRole): SourcedCallSettings {
  function one<Value>(read: (settings: ModelCallSettings) => Value | undefined): Sourced<Value> | undefined {
    const layers = calls.map(({ source, all = {}, roles }): Layer<Value> => {
      const { [role]: own = {} } = roles;
      return { source, all: read(all), roles: { [role]: read(own) } };
    });
    return pick(layers, role);
  }
  return {
    reasoningEffort: one((settings) => settings.reasoningEffort),
    maxOutputTokens: one((settings) => settings.maxOutputTokens),
    temperature: one((settings) => settings.temperature),
  };
}

/** The settings without their sources, as a request takes them. */
export function valuesOf(settings: SourcedCallSettings): ModelCallSettings {
  const { reasoningEffort, maxOutputTokens, temperature } = settings;
  return {
    reasoningEffort: reasoningEffort?.value,
    maxOutputTokens: maxOutputTokens?.value,
    temperature: temperature?.value,
  };
}
