import type { ProposalInput } from '../../domain/project/proposal.ts';
import type { ScriptInput } from '../../testing/index.ts';
import { words } from './words.ts';

type Entry = ScriptInput['entries'][number];

/** How many turns the script has for one run. */
const scriptedTurns = 1_010;

/** Characters of an answer's text; `search_memory` returns about as many, which makes two messages of 1 KB per turn. */
const answerCharacters = 900;
/** Chosen so that a thousand turns with `log_progress`, which returns little, come to 200,000 tokens. */
const growingCharacters = 535;
/** Length in characters, by feature, of the answers that a model gives without reading the request. */
export const unreadCharacters = { log_progress: answerCharacters, growing_context: growingCharacters };
const chatCharacters = 200;
const questionCharacters = 60;
const decisions = 5;
const decisionCharacters = 150;

/** Distinguishes measured runs: the tool that they call in each turn, or their purpose. */
export type MeasuredFeature = MeasuredTool | 'growing_context';

/** Tools that need no sandbox. */
type MeasuredTool = 'log_progress' | 'search_memory';

/** The project that the measured runs belong to; it is finished before they begin. */
export const benchProposal = proposalOf('file');

/** Another project, which is watched while it runs. */
export const liveProposal = proposalOf('live');

/** How many of its turns contain text. */
export const liveTurns = 15;

/** The beginning of an answer in a chat. */
export const firstWordsOfChat = words(3, chatCharacters).slice(0, 4);

function proposalOf(name: string): ProposalInput {
  return {
    summary: 'One text file.',
    setup_script: 'true',
    smoke_check: 'true',
    features: [
      {
        name,
        description: 'bench.txt is there.',
        category: 'functional',
        priority: 1,
        dependencies: [],
        verification: { steps: [{ description: 'It is there.', command: 'test -f bench.txt' }] },
      },
    ],
  };
}

const writeFile = [
  { calls: [{ tool: 'write_file', arguments: { path: 'bench.txt', content: 'bench\n' } }] },
  { calls: [{ tool: 'finish', arguments: { summary: 'Done.', evidence: 'It is there.' } }] },
];

/** Plans and carries out both projects, and answers the measured runs. */
export function benchScript(): ScriptInput {
  const record = (index: number) => ({
    calls: [
      {
        tool: 'record_decision',
        arguments: {
          title: words(index, 40),
          context: words(index + 10, decisionCharacters / 3),
          choice: words(index + 20, decisionCharacters / 3),
          reasoning: words(index + 30, decisionCharacters / 3),
        },
      },
    ],
  });
  return {
    entries: [
      {
        role: 'planner',
        turns: [
          ...Array.from({ length: decisions }, (_, index) => record(index + 1)),
          { calls: [{ tool: 'submit_plan', arguments: { steps: ['Write bench.txt'] } }] },
        ],
      },
      { role: 'code', feature: 'file', turns: writeFile },
      {
        role: 'code',
        feature: 'live',
        turns: [
          ...Array.from({ length: liveTurns }, (_, index) => ({
            text: `Turn ${index + 1}: ${words(index, answerCharacters)}`,
            calls: [{ tool: 'log_progress', arguments: note(index) }],
          })),
          ...writeFile,
        ],
      },
      { role: 'chat', after: 'Bench:', turns: [{ text: words(3, chatCharacters) }] },
      // Matches, since the summarizer's task for each turn of a chat has Markdown headings.
      { role: 'summarizer', after: '#', turns: [{ text: '{"keep":[]}' }] },
      measured('log_progress', note),
      measured('search_memory', (turn) => ({
        query: words(turn + 5_000, questionCharacters),
      })),
    ],
  };
}

/** Arguments of `log_progress`. */
export function note(turn: number): Record<string, string> {
  return { note: words(turn + 5_000, questionCharacters) };
}

/** A thousand turns of the code agent. */
function measured(tool: MeasuredTool, argumentsOf: (turn: number) => Record<string, string>): Entry {
  return {
    role: 'code',
    feature: tool,
    turns: Array.from({ length: scriptedTurns }, (_, turn) => ({
      text: words(turn + 100, answerCharacters),
      calls: [{ tool, arguments: argumentsOf(turn) }],
    })),
  };
}
