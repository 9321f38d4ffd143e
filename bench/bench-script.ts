import type { ProposalInput } from '../agents/proposal.ts';
import type { ScriptInput } from '../testing/index.ts';
import { words } from './words.ts';

type Entry = ScriptInput['entries'][number];

/** Turns that the script has for one run. */
const scriptedTurns = 1_010;

/** Characters that an answer says, and about as many come back from `search_memory`: two messages of 1 KB a turn. */
const answerCharacters = 900;
/** So many that a thousand turns with `log_progress`, which says little back, come to 200,000 tokens. */
const growingCharacters = 700;
/** Characters of the answers that a model gives without reading what it is asked, by feature. */
export const unreadCharacters = { log_progress: answerCharacters, growing_context: growingCharacters };
/** Of an answer in a chat. */
const chatCharacters = 200;
const questionCharacters = 60;
const decisions = 5;
const decisionCharacters = 150;

/** What measured runs are told apart by: the tool that they call in each turn, or what they are for. */
export type MeasuredFeature = MeasuredTool | 'growing_context';

/** Tools that need no sandbox. */
type MeasuredTool = 'log_progress' | 'search_memory';

/** The project that the measured runs belong to; it is done before they begin. */
export const benchProposal = proposalOf('file');

/** Of another project, which is watched while it goes on. */
export const liveProposal = proposalOf('live');

/** Turns of it that say something. */
export const liveTurns = 15;

/** What an answer in a chat begins with. */
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

/** Plans and does that project, and answers the runs that are measured. */
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
      // Its task for each turn of a chat has headings.
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
