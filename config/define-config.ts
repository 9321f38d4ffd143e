import type { Role } from '../agents/role.ts';
import type { ModelCallSettings, ModelProvider } from '../models/model-provider.ts';
import type { ModelRole, TextRole } from '../models/model-role.ts';

/** What `longhaul.config.ts` says; docs/configuration.md tells what goes before it. */
export interface LonghaulConfig {
  /** `provider/model`, or several in the order in which they are tried; `default` is for roles that are not named, but for `embedding`. */
  models?: { [Name in ModelRole | 'default']?: string | string[] | undefined } | undefined;
  /** How the models of a role are asked; each setting that a role does not have is that of `default`. */
  modelSettings?: { [Name in TextRole | 'default']?: ModelCallSettings | undefined } | undefined;
  /** Tokens that a request to a model may have, by `provider/model`; `default` is for models that Longhaul does not know (128,000). */
  contextWindows?: { [model: string]: number | undefined } | undefined;
  /** Turns of one run of an agent, at most 1,000. */
  maxTurns?: { [Name in Role]?: number | undefined } | undefined;
  /** Providers of one's own; each comes before the one that ships under the same name. */
  providers?: ModelProvider[] | undefined;
  /** From when on an agent counts as stuck: first it is told, then its attempt ends. */
  stuck?: { sameCalls?: number | undefined; idleTurns?: number | undefined } | undefined;
  /** How far agents may delegate: `maxDepth` levels below the topmost run (3), `maxChildren` runs that one delegates to (16). */
  delegation?: { maxDepth?: number | undefined; maxChildren?: number | undefined } | undefined;
  /**
   * The most that the answer to one message of a chat may take, after how long without one it rests, what it may reach, and whether a model
   * looks for what is worth keeping of each turn (true); see docs/chat.md.
   */
  chat?:
    | {
        toolCalls?: number | undefined;
        tokens?: number | undefined;
        idleMinutes?: number | undefined;
        network?: boolean | undefined;
        fetch?: '*' | string[] | undefined;
        distil?: boolean | undefined;
      }
    | undefined;
  /** What tools that agents make may import, by language in the place of the usual list, and use; see docs/tools.md. */
  tools?:
    | {
        imports?: { python?: string[] | undefined; javascript?: string[] | undefined } | undefined;
        timeoutSeconds?: number | undefined;
        memoryMegabytes?: number | undefined;
      }
    | undefined;
  /** The folder of prompts of one's own, from the file's folder; `prompts` in Longhaul's data folder where absent. */
  prompts?: string | undefined;
}

/** Types what a `longhaul.config.ts` exports as its default. */
export function defineConfig(config: LonghaulConfig): LonghaulConfig {
  return config;
}
