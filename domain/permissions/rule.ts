/** What a rule can be about. */
export const callKinds = ['Run', 'Write', 'Read', 'Network', 'Spend', 'Land', 'Tool'] as const;

export type CallKind = (typeof callKinds)[number];

/** What rules decide; where several match, the first of this order does. */
export const effects = ['deny', 'ask', 'allow'] as const;

export type Effect = (typeof effects)[number];

/** Rules as a person writes them, such as `Run(npm *)`. */
export type RuleTexts = { [Name in Effect]?: string[] | undefined };

/** Whose rule it is. Default rules decide only what no other rule does. */
export type RuleOrigin = 'settings' | 'project' | 'default';

/** What an agent or the harness is about to do, such as `Run(npm install)`. */
export interface Call {
  kind: CallKind;
  /** A line of shell, a path in the workspace, a host name, dollars, or a tool's name. */
  subject: string;
}

export interface Rule {
  effect: Effect;
  origin: RuleOrigin;
  kind: CallKind;
  /** As it was written. */
  text: string;
  /** The part of the text between the parentheses. */
  pattern: string;
  matches(subject: Subject): Match;
}

/** `possibly`: what it is about is only known when it happens, and this may be it. */
export type Match = 'yes' | 'possibly' | 'no';

/** A piece of a call, which rules are compared with: a line of shell has one for each of its commands. */
export interface Subject {
  kind: CallKind;
  /** The ways in which a rule may name it, the first as a person reads it: a command is also found without its folder. */
  forms: [SubjectForm, ...SubjectForm[]];
}

export interface SubjectForm {
  text: string;
  /** The text with null for what is only known when it happens. */
  parts: readonly TextPart[];
}

/** A piece of text; null stands for any text. */
export type TextPart = string | null;
