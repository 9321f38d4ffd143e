import { hashOf } from '../../../agents/runtime/record/recorder.ts';
import type { RecordedOperation, RunRecord } from '../../../domain/agent-run/run-record.ts';
import { preview } from '../../../domain/storable-text.ts';
import { createNotes, ReplayEnd, type ReplaySource } from './replay-source.ts';

/** Plays a coded agent's run again, from what it did once. `stepsRun`: whether the code of its steps runs again. */
export function replayOperations(record: RunRecord, { stepsRun }: { stepsRun: boolean }): ReplaySource {
  const { changes, nextTurn, note } = createNotes(record);
  const left = record.operations.filter(({ kind }) => kind === 'model' || kind === 'tool');

  /** The recorded operation for the same question, else the next one of its name. */
  function take(kind: string, name: string, hash: string): { operation: RecordedOperation; same: boolean } | undefined {
    const ofName = left.filter((one) => one.kind === kind && one.name === name);
    const same = ofName.find(({ key }) => key.startsWith(`${kind}:${name}:${hash}:`));
    const operation = same ?? ofName[0];
    if (!operation) return undefined;
    left.splice(left.indexOf(operation), 1);
    return { operation, same: same !== undefined };
  }

  return {
    changes,
    note,
    async ask(messages, { tools, ...settings }) {
      nextTurn();
      const request = { messages, ...settings, tools: tools.map(({ name }) => name) };
      const taken = take('model', 'generate', hashOf(request));
      const said = preview(messages.at(-1)?.content ?? '', 200);
      if (!taken) {
        note(`The model is asked once more, with: ${said}`);
        throw new ReplayEnd('The record has no further answer.');
      }
      if (!taken.same) note(`The model is asked something else: ${said}`);
      return { result: taken.operation.result as never }; // as it was answered then
    },
    resultOfTool(tool, input) {
      const taken = take('tool', tool, hashOf(input));
      const given = preview(JSON.stringify(input) ?? '', 200);
      if (!taken) {
        note(`The tool "${tool}" is called once more, with: ${given}`);
        throw new ReplayEnd('The record has no further call of this tool.');
      }
      if (!taken.same) note(`The tool "${tool}" is called with something else: ${given}`);
      return taken.operation.result;
    },
    end() {
      const hidden = !stepsRun && record.operations.some(({ kind }) => kind === 'step'); // what is within steps is not asked for
      if (hidden) return;
      for (const { kind, name } of left) {
        note(kind === 'model' ? 'The model is asked less often.' : `The tool "${name}" is called less often.`);
      }
    },
  };
}
