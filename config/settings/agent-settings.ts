import { dirname, join, resolve } from 'node:path';
import { defaultNetworkPolicy, type NetworkPolicy } from '../../domain/network/network-policy.ts';
import { parseRules } from '../../domain/permissions/parse-rules.ts';
import type { RequestSettings } from '../../domain/permissions/request.ts';
import type { Rule } from '../../domain/permissions/rule.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import type { Role } from '../../domain/run/role.ts';
import type { SearchSettings } from '../../domain/search-settings.ts';
import { defaultToolSettings, type MadeToolSettings } from '../../domain/tool/tool-settings.ts';
import type { ConfigFile, LonghaulConfig } from '../define-config.ts';
import { absoluteFolders, definedOnly } from '../environment.ts';

/** How agents work if their project does not say otherwise. */
export interface AgentSettings {
  maxTurns: { [Name in Role]?: number | undefined };
  /** Of a project that does not set its own. */
  budgets: Budgets;
  stuck: { sameCalls?: number; idleTurns?: number };
  chat: ChatSettings;
  tools: MadeToolSettings;
  permissions: PermissionSettings;
  /** The search engine of `search_web`, which is not offered without one. */
  search?: SearchSettings;
  /** Whether a reviewer reads verified work before it lands. */
  review: boolean;
  /** Files that steer checks, beside those that Longhaul knows: names, or paths of files or folders. */
  steeringFiles: string[];
  /** How long mistakes in verified work are tried at most; 0 for not at all. */
  mutationSeconds: number;
  /** In percent; if checks notice fewer mistakes, further checks are written before the work lands. */
  minMutationScore: number;
  /** Folders that hold folders of the user's own agents; the first is in the data folder. */
  folders: string[];
  /** The folder of prompts that take precedence over the shipped ones; it need not exist. */
  promptsFolder: string;
}

/** What agents may do, in all projects and chats. */
export interface PermissionSettings {
  /** Those of the settings file. */
  rules: readonly Rule[];
  requests: RequestSettings;
}

/** Limits of the answer to one message, when a chat is idle, and what it may reach; `maxTurns.chat` is its model calls. */
export interface ChatSettings {
  toolCalls: number;
  /** Input and output, over all of its calls. */
  tokens: number;
  /** Without a message, after which the chat's workflow ends until the next one. */
  idleMinutes: number;
  /** What its sandbox reaches. */
  network: NetworkPolicy;
  /** Run memory extraction after each turn. */
  extractMemories: boolean;
}

const defaultChatSettings: ChatSettings = {
  toolCalls: 30,
  tokens: 100_000,
  idleMinutes: 10,
  network: defaultNetworkPolicy,
  extractMemories: true,
};

export function readAgentSettings(
  { home, search, hasSecondProvider }: { home: string; search: SearchSettings | undefined; hasSecondProvider: boolean },
  file: ConfigFile | undefined,
): AgentSettings {
  const config = file?.config ?? {};
  return {
    maxTurns: config.maxTurns ?? {},
    budgets: config.budgets ?? {},
    stuck: definedOnly(config.stuck ?? {}),
    chat: { ...defaultChatSettings, ...(definedOnly(config.chat ?? {}) as Partial<ChatSettings>) },
    tools: toolSettings(config.tools),
    permissions: permissionSettings(config.permissions),
    ...(search && { search }),
    steeringFiles: config.steeringFiles ?? [],
    mutationSeconds: config.mutationSeconds ?? 60,
    minMutationScore: config.minMutationScore ?? 0,
    review: config.review ?? hasSecondProvider,
    folders: [join(home, 'agents'), ...absoluteFolders(file, config.agents)],
    promptsFolder: file && config.prompts ? resolve(dirname(file.path), config.prompts) : join(home, 'prompts'),
  };
}

function toolSettings({ imports, ...limits }: NonNullable<LonghaulConfig['tools']> = {}): MadeToolSettings {
  return {
    ...defaultToolSettings,
    ...definedOnly(limits),
    imports: { ...defaultToolSettings.imports, ...definedOnly(imports ?? {}) },
  };
}

function permissionSettings({
  deadlineHours,
  defaultAnswer = 'no',
  ...texts
}: NonNullable<LonghaulConfig['permissions']> = {}): PermissionSettings {
  return { rules: parseRules(texts, 'settings'), requests: { deadlineHours, defaultAnswer } };
}
