import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { type DecisionRow, readDecisions } from '../../db/decisions.ts';
import { readInterjections } from '../../db/interjections/read-interjections.ts';
import { toolCalls } from '../../db/schema/runs.ts';
import { progress } from '../../db/schema/work.ts';
import type { Message } from '../../db/transcript/message.ts';
import type { AgentRun } from '../../workflows/agent-run.ts';
import { listFiles, listOpenProblems } from './list-work.ts';
import { clip } from './render-conversation.ts';

/** Decisions of earlier sessions that are given in full; `search_memory` finds the others. */
const earlierDecisions = 20;

/** What a summary must not lose or change: read verbatim from the database, not entrusted to a model. */
export interface Facts {
  said: string;
  decisions: string;
  notes: string;
  problems: string;
  files: string;
}

/** `messages` are all of the run's, `upTo` is the last one to summarize; the agent still sees the later ones. */
export async function readFacts(database: Database, run: AgentRun, messages: Message[], upTo: number): Promise<Facts> {
  const [said, decisions, notes, calls] = await Promise.all([
    run.chatId === undefined ? readInterjections(database, run.runId, upTo) : wordsOf(messages, upTo),
    run.projectId === undefined ? [] : readDecisions(database, run.projectId),
    run.sessionId === undefined ? [] : readNotes(database, run.sessionId),
    database.select().from(toolCalls).where(eq(toolCalls.runId, run.runId)),
  ]);
  const old = messages.filter(({ number }) => number <= upTo);
  const { changed, read } = listFiles(old, calls);
  const files = [
    `Changed with the file tools: ${changed.join(', ') || 'none'}. (\`git_diff\` shows all changes, those of commands too.)`,
    ...(read.length ? [`Read: ${read.join(', ')}.`] : []),
  ];
  return {
    said: said.map((text) => `- ${text.replaceAll('\n', '\n  ')}`).join('\n') || 'Nothing.',
    decisions: tellDecisions(decisions, run.sessionId) || 'None.',
    notes: notes.map((note) => `- ${note.replaceAll('\n', '\n  ')}`).join('\n') || 'None.',
    problems: listOpenProblems(old).join('\n\n') || 'None.',
    files: files.join('\n'),
  };
}

function tellDecisions(decisions: DecisionRow[], sessionId: string | undefined): string {
  const own = decisions.filter((row) => sessionId !== undefined && row.sessionId === sessionId);
  const earlier = decisions.filter((row) => !own.includes(row)).slice(-earlierDecisions);
  return [...earlier, ...own]
    .map(
      ({ title, context, choice, reasoning }) =>
        `- **${title}**: ${choice}\n  Context: ${context}\n  Reasoning: ${reasoning}`,
    )
    .join('\n');
}

/** The notes that the session's agents logged. */
async function readNotes(database: Database, sessionId: string): Promise<string[]> {
  const rows = await database
    .select({ action: progress.action, outcome: progress.outcome })
    .from(progress)
    .where(eq(progress.sessionId, sessionId))
    .orderBy(asc(progress.sequence));
  return rows.filter(({ action }) => action.startsWith('note of ')).map(({ outcome }) => outcome);
}

/** How much of a person's words in a chat stands beside a summary of it: the latest messages, and characters of each. */
const saidInChat = { messages: 10, characters: 600 };

function wordsOf(messages: Message[], upTo: number): string[] {
  const said = messages.filter(({ role, number }) => role === 'user' && number <= upTo);
  return said
    .slice(-saidInChat.messages)
    .map(({ content }) => clip(content.said ?? content.text, saidInChat.characters));
}
