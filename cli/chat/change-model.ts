import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import type { Longhaul } from '../../client/longhaul.ts';
import { printableLine } from '../render/printable.ts';

/** Changes the model of a conversation once one of those named has answered; null goes back to the settings' model. */
export async function changeModel(
  { longhaul, chat, print }: { longhaul: Pick<Longhaul, 'worker'>; chat: ChatHandle; print: (text: string) => void },
  model: string | null,
): Promise<void> {
  if (model !== null) {
    const checks = await longhaul.worker.checkModels(model);
    for (const { name, problem } of checks) if (problem) print(printableLine(`${name} does not answer: ${problem}`));
    if (checks.every(({ answers }) => answers === false)) return print('The model stays as it was.');
  }
  await chat.setModel(model);
  print(`The model is ${model ?? (await chat.models())} from the next message on.`);
}
