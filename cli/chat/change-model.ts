import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import type { Longhaul } from '../../client/longhaul.ts';
import { expectModelNames } from '../../client/start/check-settings.ts';
import { printableLine } from '../render/printable.ts';

/**
 * Changes the model of a conversation once one of those named has answered, and says whether it did; null goes back to the settings' model.
 * @throws {ClientError} `InvalidInput`
 */
export async function changeModel(
  { longhaul, chat, print }: { longhaul: Pick<Longhaul, 'worker'>; chat: ChatHandle; print: (text: string) => void },
  model: string | null,
): Promise<boolean> {
  if (model !== null) {
    expectModelNames(model);
    const checks = await longhaul.worker.checkModels(model);
    for (const { name, problem } of checks) if (problem) print(printableLine(`${name} does not answer: ${problem}`));
    if (checks.every(({ answers }) => answers === false)) {
      print('The model stays as it was.');
      return false;
    }
  }
  await chat.setModel(model);
  print(`The model is ${model ?? (await chat.models())} from the next message on.`);
  return true;
}
