import type { Category } from './statuses.ts';

/** One step of a feature's verification; only steps with a command decide. */
export interface VerificationStep {
  description: string;
  /** A bash script run in the workspace; exit code 0 is a pass. */
  command?: string | undefined;
  /** Milliseconds. */
  timeoutMs?: number | undefined;
}

export interface FeatureVerification {
  steps: VerificationStep[];
  /** Files written before the work; a session that changes them does not pass on them. */
  protectedPaths: string[];
}

/** A feature as it is stored: files of its verification have become protected paths. */
export interface ProposedFeature {
  name: string;
  description: string;
  category: Category;
  priority: number;
  dependencies: string[];
  verification: FeatureVerification;
}

/** How one command of the harness ended. */
export interface StepResult {
  description: string;
  command: string;
  passed: boolean;
  outcome: string;
  exitCode: number | null;
  /** Head and tail of the output. */
  output: string;
  durationMs: number;
}

export const budgetScopes = ['project', 'session', 'run'] as const;

/** What a budget is for; a session counts to its project and a run to both. */
export type BudgetScope = (typeof budgetScopes)[number];

/** The most that models may be asked for; what is absent has no limit. */
export interface Budget {
  usd?: number | undefined;
  /** Input and output. */
  tokens?: number | undefined;
  turns?: number | undefined;
  /** From its beginning; pauses count. */
  minutes?: number | undefined;
}

export type Budgets = { [Scope in BudgetScope]?: Budget | undefined };

export interface ProjectSettings {
  /** Attempts on a feature before it is BLOCKED. */
  maxAttempts: number;
  /** Sessions before the project waits for a person; unlimited where absent. */
  maxSessions?: number | undefined;
  /** Turns of one run of an agent that does the work; the worker's settings say it where absent. */
  maxTurns?: number | undefined;
  /** The models of its agents, `provider/model`, tried in order where there are several, by commas. */
  model?: string | undefined;
  /** The same for one role. */
  models?: Record<string, string> | undefined;
  image?: string | undefined;
  /** From when on an agent counts as stuck: first it is told, then its attempt ends. */
  stuck?: { sameCalls?: number; idleTurns?: number } | undefined;
  /** Reaching one pauses the project before the next call of a model. */
  budgets?: Budgets | undefined;
  /** Whether commands of agents reach the network; verification never does. */
  network: boolean;
}

export const defaultProjectSettings: ProjectSettings = { maxAttempts: 3, network: false };

/** An agent of one's own, as its folder was when a client last read it. */
export interface ChatAgent {
  name: string;
  /** Where the client read it. */
  folder: string;
  /** Tells one state of the folder from another. */
  hash: string;
  instructions: string;
  /** Models tried in order, by commas; those of the role `chat` where absent. */
  model?: string;
  /** Tools that it has, made ones included; all of a chat where absent. */
  tools?: string[];
  limits: { modelCalls?: number; toolCalls?: number; tokens?: number };
  /** Versions of the tools in its folder. */
  madeTools: string[];
}

/** The part of it that a run works with. */
export interface RunAgent {
  name: string;
  hash: string;
  /** In the place of the run's first message. */
  instructions: string;
  tools?: string[];
}
