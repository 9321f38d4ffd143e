import type { McpServers } from '../domain/mcp/mcp-server.ts';
import type { ModelCallSettings, ModelProvider } from '../domain/model/model-provider.ts';
import type { ModelRole, TextRole } from '../domain/model/model-role.ts';
import type { NetworkPolicy } from '../domain/network/network-policy.ts';
import type { Budgets } from '../domain/project/settings.ts';
import type { Role } from '../domain/run/role.ts';
import type { LogFormat, LogLevel } from '../domain/telemetry/log.ts';
import type { TraceSink } from '../domain/telemetry/span.ts';

/** Contents of `longhaul.config.ts`; docs/configuration.md lists what takes precedence over it. */
export interface LonghaulConfig {
  /** `provider/model`, or several, tried in order; `default` applies to the roles not named, except `embedding`. */
  models?: { [Name in ModelRole | 'default']?: string | string[] | undefined } | undefined;
  /** Call settings per role; a role falls back to `default` for each setting that it lacks. */
  modelSettings?: { [Name in TextRole | 'default']?: ModelCallSettings | undefined } | undefined;
  /** Maximum tokens of a request, by `provider/model`; `default` is for models that Longhaul does not know (128,000 if unset). */
  contextWindows?: { [model: string]: number | undefined } | undefined;
  /** Models (`provider/model`) that take no pictures, besides those that Longhaul knows. */
  textOnlyModels?: string[] | undefined;
  /** Maximum turns of one agent run, up to 1,000. */
  maxTurns?: { [Name in Role]?: number | undefined } | undefined;
  /** Custom providers; each overrides the built-in provider of the same name. */
  providers?: ModelProvider[] | undefined;
  /** Limits on the use of models, for each project that does not set its own; `project` for all of it, `session` and `run` for each of them. */
  budgets?: Budgets | undefined;
  /** Thresholds from which an agent counts as stuck: it is warned first; then its attempt ends, or in a chat (`sameCalls` only) it must answer. */
  stuck?: { sameCalls?: number | undefined; idleTurns?: number | undefined } | undefined;
  /**
   * Limits on the answer to one message of a chat, how long the chat may idle before its workflow ends, what it may reach, and whether a model
   * searches each turn for what is worth keeping (default true); see docs/chat.md.
   */
  chat?:
    | {
        toolCalls?: number | undefined;
        tokens?: number | undefined;
        idleMinutes?: number | undefined;
        network?: NetworkPolicy | undefined;
        extractMemories?: boolean | undefined;
      }
    | undefined;
  /** Hosts that count as package registries beside the known ones, such as a company's mirror; see docs/configuration.md. */
  registries?: string[] | undefined;
  /** What agent-made tools may import (per language, replacing the default list) and how much time and memory they may use; see docs/tools.md. */
  tools?:
    | {
        imports?: { python?: string[] | undefined; javascript?: string[] | undefined } | undefined;
        timeoutSeconds?: number | undefined;
        memoryMegabytes?: number | undefined;
      }
    | undefined;
  /** Limits of each sandbox on disk, and how its container is kept apart from the host; see docs/security.md. */
  sandbox?:
    | {
        diskGigabytes?: number | undefined;
        files?: number | undefined;
        /** A runtime that the Docker daemon knows, such as `runsc`. */
        runtime?: string | undefined;
        /** The path of a seccomp profile, relative to the config file. */
        seccomp?: string | undefined;
        userns?: string | undefined;
      }
    | undefined;
  /** MCP servers whose tools agents get, by name; beside those of `.mcp.json` in the data folder. See docs/mcp-servers.md. */
  mcpServers?: McpServers | undefined;
  /**
   * What agents may do, as rules such as `Run(npm *)`, for all projects and chats; how long what is asked for waits, and the answer then. See
   * docs/permissions.md.
   */
  permissions?:
    | {
        allow?: string[] | undefined;
        ask?: string[] | undefined;
        deny?: string[] | undefined;
        deadlineHours?: number | undefined;
        defaultAnswer?: 'yes' | 'no' | undefined;
      }
    | undefined;
  /** Whether a reviewer reads verified work before it lands; true if absent and more than one provider is set. */
  review?: boolean | undefined;
  /** Files that steer checks, beside those that Longhaul knows: names, or paths of files or folders; see docs/verification-steps.md. */
  steeringFiles?: string[] | undefined;
  /** How long mistakes are put into verified work at most, to see whether its checks notice; 0 for not at all, 60 if absent. */
  mutationSeconds?: number | undefined;
  /** In percent; if checks notice fewer mistakes, further checks are written before the work lands. 0, which is the default, for never. */
  minMutationScore?: number | undefined;
  /** Folders that hold folders of your own agents, relative to the config file; `agents` in the data folder always is one. See docs/agents.md. */
  agents?: string[] | undefined;
  /** Folders below which the Temporal UI may start projects, relative to the config file; the projects folder always is one. */
  projectRoots?: string[] | undefined;
  /** Folder of custom prompts, relative to the config file; defaults to `prompts` in Longhaul's data folder. */
  prompts?: string | undefined;
  /**
   * Where traces go: by OTLP to the endpoint, such as `http://127.0.0.1:4318`, with these headers, and to sinks of one's own; nowhere if both are
   * absent. `contents` adds prompts, answers, arguments and results (default false). See docs/tracing.md.
   */
  tracing?:
    | {
        endpoint?: string | undefined;
        headers?: Record<string, string> | undefined;
        contents?: boolean | undefined;
        sinks?: TraceSink[] | undefined;
      }
    | undefined;
  /** Where Prometheus reads a worker's metrics: a port of the loopback interface, or `host:port`. There are none if absent. */
  metrics?: { address?: number | string | undefined } | undefined;
  /** What workers write about their work; `info` and `text` if absent. */
  logging?: { level?: LogLevel | undefined; format?: LogFormat | undefined } | undefined;
}

/** A loaded config file. */
export interface ConfigFile {
  /** Absolute. */
  path: string;
  config: LonghaulConfig;
}

/** Identity function that types the default export of a `longhaul.config.ts`. */
export function defineConfig(config: LonghaulConfig): LonghaulConfig {
  return config;
}
