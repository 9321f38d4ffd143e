import type { CommandContext } from '../program/command-context.ts';
import { listStyle } from '../program/list-style.ts';
import { renderChanges, renderConsolidations, renderOutcome } from '../text/render-consolidations.ts';

interface AsJson {
  json?: boolean;
}

export async function consolidate(
  context: CommandContext,
  { project, dryRun, summaries, json }: AsJson & { project?: string; dryRun?: boolean; summaries: boolean },
): Promise<void> {
  const request = { project, dryRun, ...(!summaries && { summaries: 0 }) };
  const outcome = await context.withLonghaul((longhaul) => longhaul.consolidations.run(request));
  if (json) return context.printJson(outcome);
  context.tell(renderOutcome(outcome));
}

export async function listConsolidations(context: CommandContext, { json }: AsJson): Promise<void> {
  const { list, proposals } = await context.withLonghaul(async ({ consolidations }) => ({
    list: await consolidations.list(),
    proposals: await consolidations.proposals(),
  }));
  if (json) return context.printJson({ consolidations: list, proposals });
  if (!list.length) return context.tell('There was no consolidation yet: `longhaul memory consolidate`.');
  const style = await listStyle(context);
  context.print(renderConsolidations(list, style).join('\n'));
  if (!proposals.length) return;
  context.print(`\nProposed, to be accepted or rejected:\n${renderChanges(proposals, style).join('\n')}`);
}

export async function showConsolidation(context: CommandContext, id: string, { json }: AsJson): Promise<void> {
  const changes = await context.withLonghaul(({ consolidations }) => consolidations.show(id));
  if (json) return context.printJson(changes);
  context.print(renderChanges(changes, await listStyle(context)).join('\n') || 'It changed and proposed nothing.');
}

export async function acceptConsolidation(
  context: CommandContext,
  id: string,
  options: { replace?: boolean },
): Promise<void> {
  const count = await context.withLonghaul(({ consolidations }) => consolidations.accept(id, options));
  context.print(`Accepted ${count}.`);
}

export async function rejectConsolidation(context: CommandContext, id: string): Promise<void> {
  const count = await context.withLonghaul(({ consolidations }) => consolidations.reject(id));
  context.print(`Rejected ${count}.`);
}

export async function undoConsolidation(context: CommandContext, id: string): Promise<void> {
  const count = await context.withLonghaul(({ consolidations }) => consolidations.undo(id));
  context.print(`Undid ${count}.`);
}
