import { createTask, findTask, listTasks, setTaskStatus, type TaskRow } from '../../../db/tasks/tasks.ts';
import { expectOwner } from '../../../domain/run/run-owner.ts';
import { StoreError } from '../../../domain/stores/store-error.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { ToolResult, Tools } from '../tool.ts';

type TaskToolName = 'create_task' | 'update_task_status' | 'get_task' | 'list_tasks';

/** Tools for the list of tasks. */
export function createTaskTools({ database }: Pick<Dependencies, 'database'>): Pick<Tools, TaskToolName> {
  return {
    create_task: (input, { run, id }) =>
      explained(async () => {
        const { title, description, priority, due_date: due, depends_on: dependsOn } = input;
        const chatId = expectOwner(run.owner, 'chat');
        const task = await createTask(database, { id, chatId, title, description, priority, due, dependsOn });
        return { text: `Created task ${task.number}.`, display: `${task.number}` };
      }),
    update_task_status: ({ task, status, note }) =>
      explained(async () => ({ text: formatTask(await setTaskStatus(database, task, status, note)) })),
    get_task: ({ task: number }) =>
      explained(async () => {
        const task = await findTask(database, number);
        const { description, note, createdAt, changedAt } = task;
        return {
          text: [
            formatTask(task),
            ...(description ? [description] : []),
            ...(note === null ? [] : [`Note: ${note}`]),
            `Created ${dayOf(createdAt)}, last changed ${dayOf(changedAt)}.`,
          ].join('\n'),
        };
      }),
    async list_tasks({ all_sessions: everywhere = false, status }, { run }) {
      const of = { ...(!everywhere && { chatId: expectOwner(run.owner, 'chat') }), ...(status && { status }) };
      const found = await listTasks(database, of);
      const where = everywhere ? '' : ' in this chat; `all_sessions` includes other chats';
      return {
        text: found.map(formatTask).join('\n') || `There are no such tasks${where}.`,
        display: found.length === 1 ? '1 task' : `${found.length} tasks`,
      };
    },
  };
}

async function explained(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'input') return { failed: true, text: error.message };
    throw error;
  }
}

function formatTask({ number, title, status, priority, due, dependsOn }: TaskRow): string {
  const after = dependsOn.length ? `, after ${dependsOn.join(', ')}` : '';
  return `${number}. ${title} (${status}, priority ${priority}${due === null ? '' : `, due ${due}`}${after})`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
