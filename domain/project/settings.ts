import type { ModelTool } from '../model/model-provider.ts';
import { defaultNetworkPolicy, type NetworkPolicy } from '../network/network-policy.ts';
import type { RuleTexts } from '../permissions/rule.ts';
import type { Category } from './statuses.ts';

/** One step of a feature's verification; only steps with a command count. */
export interface VerificationStep {
  description: string;
  /** A bash script run in the workspace; exit code 0 is a pass. */
  command?: string | undefined;
  /** Milliseconds. */
  timeoutMs?: number | undefined;
}

export interface FeatureVerification {
  steps: VerificationStep[];
  /** Files written before the work begins; a session that changes them cannot pass by them. */
  protectedPaths: string[];
  sealed: SealedCheck[];
  /**
   * Files that set up or steer the checks, or lock packages, which the feature's sessions may change all the same, since a person or an agent that judges
   * changes allowed it.
   */
  allowed?: string[] | undefined;
}

/** A check that the agents that do the work never see: it is in no commit, and only put into the container in which it runs. */
export interface SealedCheck {
  /** A sentence; all that an agent reads if the check fails. */
  requirement: string;
  /** A bash script run in the workspace; exit code 0 is a pass. */
  command: string;
  /** Paths in the workspace. */
  files: Array<{ path: string; content: string }>;
  /** Milliseconds. */
  timeoutMs?: number | undefined;
}

/** A feature as it is stored: its verification files have become protected paths. */
export interface ProposedFeature {
  name: string;
  description: string;
  category: Category;
  priority: number;
  dependencies: string[];
  verification: FeatureVerification;
}

/** The outcome of one command of the harness. */
export interface StepResult {
  description: string;
  command: string;
  passed: boolean;
  outcome: string;
  exitCode: number | null;
  /** First and last part of the output. */
  output: string;
  durationMs: number;
  /** The same command with its check files spoiled, so that it had to fail; then with single tests spoiled, each `alone`. */
  spoiled?: { files: string[]; outcome: string; exitCode: number | null; output: string; alone?: string[] };
  /** What agents must not see of a sealed check; its `command` and `output` say nothing. */
  sealed?: { command: string; output: string };
}

export const budgetScopes = ['project', 'session', 'run'] as const;

/** What a budget applies to; a session counts towards its project, and a run towards both. */
export type BudgetScope = (typeof budgetScopes)[number];

/** Limits on the use of models; absent ones are unlimited. */
export interface Budget {
  usd?: number | undefined;
  /** Input plus output. */
  tokens?: number | undefined;
  turns?: number | undefined;
  /** Since the start, pauses included. */
  minutes?: number | undefined;
}

export type Budgets = { [Scope in BudgetScope]?: Budget | undefined };

export interface ProjectSettings {
  /** Attempts on a feature before it is BLOCKED. */
  maxAttempts: number;
  /** Sessions before the project waits for a person; unlimited if absent. */
  maxSessions?: number | undefined;
  /** Maximum turns of one run of a working agent; if absent, the worker's settings decide. */
  maxTurns?: number | undefined;
  /** The models of its agents: comma-separated `provider/model`, tried in order. */
  model?: string | undefined;
  /** The same for single roles. */
  models?: Record<string, string> | undefined;
  image?: string | undefined;
  /** Thresholds from which an agent counts as stuck: it is warned first, then its attempt ends. */
  stuck?: { sameCalls?: number; idleTurns?: number } | undefined;
  /** Reaching one pauses the project before the next model call. */
  budgets?: Budgets | undefined;
  /** Its own rules, beside those of the worker's settings. */
  permissions?: RuleTexts | undefined;
  /** What its sandboxes reach, in set-up and work alike; the steps of a verification reach nothing. */
  network: NetworkPolicy;
}

export const defaultProjectSettings: ProjectSettings = { maxAttempts: 3, network: defaultNetworkPolicy };

/** A custom agent, as its folder was when a client last read it. */
export interface ChatAgent {
  name: string;
  /** Where the client read it from. */
  folder: string;
  /** Identifies the state of the folder. */
  hash: string;
  instructions: string;
  /** Comma-separated models, tried in order; those of the role `chat` if absent. */
  model?: string;
  /** Its tools, made ones included; all tools of a chat if absent. */
  tools?: string[];
  limits: { modelCalls?: number; toolCalls?: number; tokens?: number };
  /** Versions of the tools in its folder. */
  madeTools: string[];
}

/** The part of a `ChatAgent` that a run works with; also describes the assistant if it took over from one. */
export interface RunAgent {
  name: string;
  hash: string;
  /** Replaces the run's first message. */
  instructions: string;
  tools?: string[];
  /** Tools that the program which hosts it has. */
  declared?: ModelTool[];
}
