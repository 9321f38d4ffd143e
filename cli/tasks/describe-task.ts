import type { Task } from '../../domain/stores/tasks.ts';
import { printableLine } from '../render/printable.ts';

/** A task in one line: `3. Buy paint (not_started, priority 5, due 2026-03-01, after 1, 2)`. */
export function describeTask({ number, title, status, priority, due, dependsOn }: Task): string {
  const details = [
    status,
    `priority ${priority}`,
    ...(due === null ? [] : [`due ${due}`]),
    ...(dependsOn.length ? [`after ${dependsOn.join(', ')}`] : []),
  ];
  return printableLine(`${number}. ${title} (${details.join(', ')})`);
}
