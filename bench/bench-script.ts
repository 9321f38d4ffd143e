import type { ScriptInput } from '../testing/index.ts';
import { words } from './words.ts';

type Entry = ScriptInput['entries'][number];

/** Turns that the script has for one run. */
const scriptedTurns = 1_010;

/** Characters that an answer says, and about as many come back from its tool: two messages of 1 KB a turn. */
const answerCharacters = 900;
const questionCharacters = 60;
const decisions = 5;
const decisionCharacters = 150;

/** Tools that need no sandbox, of which a measured run calls one in each of its turns. */
export type MeasuredTool = 'log_progress' | 'search_memory';

/** The project that the measured runs belong to; it is done before they begin. */
export const benchProposal = {
  summary: 'One text file.',
  setup_script: 'true',
  smoke_check: 'true',
  features: [
    {
      name: 'file',
      description: 'bench.txt is there.',
      category: 'functional',
      priority: 1,
      dependencies: [],
      verification: { steps: [{ description: 'It is there.', command: 'test -f bench.txt' }] },
    },
  ],
};

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
      {
        role: 'code',
        feature: 'file',
        turns: [
          { calls: [{ tool: 'write_file', arguments: { path: 'bench.txt', content: 'bench\n' } }] },
          { calls: [{ tool: 'finish', arguments: { summary: 'Done.', evidence: 'It is there.' } }] },
        ],
      },
      measured('log_progress', (turn) => ({ note: words(turn + 5_000, questionCharacters) })),
      measured('search_memory', (turn) => ({ query: words(turn + 5_000, questionCharacters) })),
    ],
  };
}

/** A thousand turns of the code agent, told apart by the name of the tool as their feature. */
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
