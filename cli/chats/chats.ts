import { renderChatMarkdown } from '../../client/chat/render-chat-markdown.ts';
import { ClientError } from '../../client/errors.ts';
import { formatMoment } from '../../client/format/time.ts';
import { openPager } from '../chat/open-pager.ts';
import { movesCursor } from '../chat/open-screen.ts';
import { createPlainScreen } from '../chat/screen/plain-screen.ts';
import { renderExchange } from '../chat/screen/render-exchange.ts';
import { withChat } from '../chat/with-chat.ts';
import type { CommandContext } from '../program/command-context.ts';
import { alignColumns } from '../render/columns.ts';
import { loadMarkdown } from '../render/markdown/load-markdown.ts';
import { printableLine } from '../render/printable.ts';
import { colorsFor, terminalSize } from '../render/style.ts';

export async function listChats(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const chats = await context.withLonghaul((longhaul) => longhaul.chats());
  if (json) {
    return context.printJson(
      chats.map(({ id, name, model, agent, exchangeCount: messages, createdAt, lastUsedAt }) => ({
        id,
        name,
        model,
        agent: agent?.name ?? null,
        messages,
        createdAt,
        lastUsedAt,
      })),
    );
  }
  const rows = chats.map(({ name, exchangeCount, lastUsedAt }) => [
    printableLine(name),
    String(exchangeCount),
    formatMoment(lastUsedAt),
  ]);
  const table = rows.length ? alignColumns([['name', 'messages', 'last used'], ...rows]) : [];
  context.printMessage(table.join('\n') || 'There are no conversations yet. `longhaul chat` starts one.');
}

export async function showChat(
  context: CommandContext,
  name: string,
  { json, branch }: { json?: boolean; branch?: string },
): Promise<void> {
  const { history, runs } = await withChat(context, name, async (chat) => ({
    history: await chat.history({ branch }),
    runs: await chat.runs(),
  }));
  if (json) return context.printJson(history);
  const colors = colorsFor(context.stdout, context.environment);
  if (movesCursor(context)) {
    const { columns, rows } = terminalSize(context.stdout);
    const markdown = await loadMarkdown(colors);
    const style = { colors, markdown, columns, formatLine: context.withCommandName };
    const lines = history.flatMap((exchange) => renderExchange(exchange, style));
    const isShown = lines.length >= rows && (await openPager(`${lines.join('\n')}\n`, context.environment));
    return isShown ? undefined : context.print(lines.join('\n'));
  }
  const screen = createPlainScreen(context.stdout, colors, () => false, context.withCommandName);
  for (const exchange of history) screen.exchange(exchange);
  const ids = runs.map(({ id, role }) => `  ${id} (${role})`);
  if (ids.length) context.note(['Runs, for `longhaul transcript <run>`:', ...ids].join('\n'));
}

export async function listBranches(context: CommandContext, name: string, { json }: { json?: boolean }): Promise<void> {
  const branches = await withChat(context, name, (chat) => chat.branches());
  if (json) return context.printJson(branches);
  const rows = branches.map(({ name: branch, continues, current, messages, begins, createdAt }) => [
    `${current ? '*' : ' '} ${branch}`,
    continues ?? '',
    String(messages),
    formatMoment(createdAt),
    printableLine(begins ?? '')
      .slice(0, wordsShown)
      .toWellFormed(),
  ]);
  const table = rows.length ? alignColumns([['  branch', 'of', 'messages', 'begun', 'begins with'], ...rows]) : [];
  context.print(table.join('\n') || 'There are no messages yet.');
}

/** Maximum characters shown of a branch's first message. */
const wordsShown = 60;

export async function exportChat(
  context: CommandContext,
  name: string,
  { format, branch }: { format: 'markdown' | 'json'; branch?: string },
): Promise<void> {
  const { history, chat } = await withChat(context, name, async (one) => ({
    history: await one.history({ branch }),
    chat: one.name ?? name,
  }));
  if (format === 'json') return context.printJson({ name: chat, messages: history });
  context.writeText(renderChatMarkdown(chat, history));
}

export async function renameChat(context: CommandContext, name: string, next: string): Promise<void> {
  await withChat(context, name, (chat) => chat.rename(next));
  context.print(`Renamed to "${next}".`);
}

export async function deleteChat(context: CommandContext, name: string, { yes }: { yes?: boolean }): Promise<void> {
  await withChat(context, name, async (chat) => {
    if (!yes) await expectConsent(context, chat.name ?? name);
    await chat.delete();
  });
  context.print('Deleted.');
}

async function expectConsent(context: CommandContext, name: string): Promise<void> {
  if (!context.stdin.isTTY)
    throw new ClientError('InvalidInput', `Expected --yes to delete "${name}", since there is no terminal to ask on.`);
  const { expectYes } = await import('../program/ask.ts');
  await expectYes(context, `Delete "${name}" and all its messages?`);
}
