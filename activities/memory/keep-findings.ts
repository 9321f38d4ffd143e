import type { DueTurn } from '../../db/chats/extractions.ts';
import type { Reader } from '../../db/memory/memory.ts';
import { mayReplace } from '../../db/memory/origin.ts';
import { compareFacts } from '../../db/memory/quality/compare-facts.ts';
import { learn } from '../../db/memory/quality/learn.ts';
import { createTask, listTasks } from '../../db/tasks/tasks.ts';
import type { Finding, Kept } from '../../domain/memory/extraction.ts';
import { findSecret } from '../../domain/secrets/find-secrets.ts';
import type { Dependencies } from '../dependencies.ts';
import { originOfRun } from './origin-of-run.ts';

type Stores = Pick<Dependencies, 'database' | 'memory'>;

/** The default priority of a task. */
const defaultPriority = 5;

/** Stores the findings of a turn that are not yet known; their ids derive from the turn and their position, so that a retry changes nothing. */
export async function keepFindings(stores: Stores, turn: DueTurn, findings: Finding[]): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const [place, finding] of findings.entries()) {
    const id = `${turn.runId}.${turn.turn}.kept.${place}`;
    const secret = findSecret(finding.text);
    if (secret !== undefined) {
      const text = '(left out)';
      kept.push({ ...finding, text, id, outcome: 'refused', superseded: [], reason: `It seems to contain ${secret}.` });
    } else if (finding.kind === 'task') {
      kept.push(await keepTask(stores, turn, finding, id));
    } else {
      kept.push(await keepMemory(stores, turn, finding, id));
    }
  }
  return kept;
}

async function keepMemory({ database, memory }: Stores, turn: DueTurn, finding: Finding, id: string): Promise<Kept> {
  const reader: Reader = { sessionId: turn.chatId };
  const { kind, text, replaces } = finding;
  const source = { run: turn.runId, id: turn.exchangeId };
  const origin = await originOfRun(database, turn.runId);
  const learned = await learn(memory, { id, text, kind, scope: 'global', source, origin, tags: ['extracted'] }, reader);
  const superseded = new Set(learned.superseded);
  const [named] = replaces === null || replaces === learned.id ? [] : await memory.get([replaces]);
  const isTheirs = named?.scope === 'global' || named?.sessionId === turn.chatId;
  if (named && isTheirs && mayReplace({ origin }, named) && (named.kind === 'fact' || named.kind === 'preference')) {
    // A replacement in another branch does not count: the model names what it sees in the turn's own branch.
    const isCurrent = named.supersededBy === undefined || (named.scope === 'session' && named.supersededLineage);
    if (isCurrent) await memory.supersede([named.id], learned.id);
    if (isCurrent || named.supersededBy === learned.id) superseded.add(named.id);
  }
  return { ...finding, id: learned.id, outcome: learned.outcome, superseded: [...superseded] };
}

async function keepTask({ database }: Stores, turn: DueTurn, finding: Finding, id: string): Promise<Kept> {
  const known = (await listTasks(database)).find(
    (task) => task.id !== id && compareFacts(task.title, finding.text) === 'same',
  );
  if (known) return { ...finding, id: known.id, outcome: 'known', superseded: [] };
  const rest = { description: '', priority: defaultPriority, due: undefined, dependsOn: [] };
  await createTask(database, { id, chatId: turn.chatId, title: finding.text, ...rest });
  return { ...finding, id, outcome: 'added', superseded: [] };
}
