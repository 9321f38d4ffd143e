import type { DecisionRow } from '../../db/project/decisions.ts';
import type { WorkFiles } from './list-work.ts';
import { clip } from './render-conversation.ts';

/** What a summary must not lose or change, as texts for its prompt: copied from the database, not written by a model. */
export interface Facts {
  said: string;
  decisions: string;
  notes: string;
  problems: string;
  files: string;
}

/** What the facts are made from, each list in the order in which it arose. */
export interface FactRows {
  /** The steering messages of a run of a project. */
  steered: string[];
  /** A person's messages in a chat. */
  chatted: string[];
  /** Decisions of earlier sessions of the project. */
  earlierDecisions: Decision[];
  /** Decisions of the run's own session. */
  decisions: Decision[];
  notes: string[];
  problems: Array<{ command: string; output: string }>;
  files: WorkFiles;
  /** Whether the agent has `git_diff`. */
  hasDiff: boolean;
}

type Decision = Pick<DecisionRow, 'title' | 'context' | 'choice' | 'reasoning'>;

/** How many items of a list are shown (the latest) and how many characters of each. Lists that are missing here are always whole. */
interface Extent {
  chatted: number;
  charactersChatted: number;
  earlierDecisions: number;
  problems: number;
  charactersOfOutput: number;
  filesRead: number;
}

/** From everything down to the minimum. */
const extents: [Extent, ...Extent[]] = [
  {
    chatted: Infinity,
    charactersChatted: Infinity,
    earlierDecisions: Infinity,
    problems: Infinity,
    charactersOfOutput: Infinity,
    filesRead: Infinity,
  },
  {
    chatted: 40,
    charactersChatted: 2_400,
    earlierDecisions: 80,
    problems: 20,
    charactersOfOutput: 6_000,
    filesRead: 160,
  },
  {
    chatted: 10,
    charactersChatted: 600,
    earlierDecisions: 20,
    problems: 5,
    charactersOfOutput: 1_500,
    filesRead: 40,
  },
];

/** Shows everything if it fits `room` characters; otherwise the latest items that cannot be looked up elsewhere, and how many are omitted. */
export function formatFacts(rows: FactRows, room: number): Facts {
  const formatted = extents.map((extent) => format(rows, extent));
  return (
    formatted.find((facts) => Object.values(facts).join('').length <= room) ??
    format(rows, extents.at(-1) ?? extents[0])
  );
}

function format(rows: FactRows, extent: Extent): Facts {
  const chatted = latest(rows.chatted, extent.chatted, 'earlier messages');
  const earlier = latest(rows.earlierDecisions, extent.earlierDecisions, 'earlier decisions');
  const problems = latest(rows.problems, extent.problems, 'commands that failed earlier');
  const read = latest(rows.files.read, extent.filesRead, 'files read earlier');
  const said = [...rows.steered, ...chatted.kept.map((text) => clip(text, extent.charactersChatted))];
  return {
    said: lines(chatted.leftOut, said.map(item)) || 'Nothing.',
    decisions: lines(earlier.leftOut, [...earlier.kept, ...rows.decisions].map(formatDecision)) || 'None.',
    notes: rows.notes.map(item).join('\n') || 'None.',
    problems:
      lines(
        problems.leftOut,
        problems.kept.map((problem) => formatProblem(problem, extent.charactersOfOutput)),
        '\n\n',
      ) || 'None.',
    files: [
      `Changed with the file tools: ${rows.files.changed.join(', ') || 'none'}.${rows.hasDiff ? ' (`git_diff` shows all changes, those of commands too.)' : ''}`,
      ...(read.kept.length ? [`Read: ${read.kept.join(', ')}.`] : []),
      ...read.leftOut,
    ].join('\n'),
  };
}

function latest<Item>(items: Item[], max: number, name: string): { kept: Item[]; leftOut: string[] } {
  const kept = items.slice(Math.max(items.length - max, 0));
  const count = items.length - kept.length;
  return { kept, leftOut: count ? [`[Omitted for lack of space: ${count} ${name}.]`] : [] };
}

function lines(leftOut: string[], items: string[], between = '\n'): string {
  return [...leftOut, ...items].join(between);
}

function item(text: string): string {
  return `- ${text.replaceAll('\n', '\n  ')}`;
}

function formatDecision({ title, context, choice, reasoning }: Decision): string {
  return `- **${title}**: ${choice}\n  Context: ${context}\n  Reasoning: ${reasoning}`;
}

function formatProblem({ command, output }: FactRows['problems'][number], max: number): string {
  const end = output.slice(Math.max(output.length - max, 0)).toWellFormed();
  return `\`${command}\`\n\n${end.replace(/^/gm, '    ')}`;
}
