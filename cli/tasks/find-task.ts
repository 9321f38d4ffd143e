import { ClientError } from '../../client/errors.ts';
import type { Longhaul } from '../../client/longhaul.ts';
import { matchReference } from '../../domain/match-reference.ts';
import { taskStatuses } from '../../domain/stores/tasks.ts';

/**
 * The number of the task that a person names by its number or its title.
 * @throws {ClientError} `InvalidInput`
 */
export async function findTask({ stores }: Pick<Longhaul, 'stores'>, reference: string): Promise<number> {
  if (/^\d+$/.test(reference)) return Number(reference);
  const all = await Promise.all(taskStatuses.map((status) => stores.tasks.list({ status })));
  const found = matchReference(
    all.flat().map(({ number, title }) => ({ id: `${number}`, name: title })),
    reference,
  );
  const [only] = found;
  if (only && found.length === 1) return Number(only.id);
  const numbers = found.map(({ id }) => id).join(', ');
  throw new ClientError(
    'InvalidInput',
    only
      ? `"${reference}" is the title of the tasks ${numbers}. Use a number.`
      : `Expected the number or the title of a task, got "${reference}". \`longhaul tasks\` shows them.`,
  );
}
