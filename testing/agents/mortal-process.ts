import type { AskModel } from '../../agents/runtime/ask-model.ts';
import type { RunStore } from '../../agents/runtime/record/run-store.ts';
import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';
import type { SimulatedCrash } from './simulate-crash.ts';

/** What an attempt reaches of the world, until its process dies. */
export interface MortalProcess {
  store: RunStore;
  ask: AskModel;
  tools: AgentTool[];
  /** Resolves when it dies; never without a crash. */
  died: Promise<'died'>;
}

/**
 * A process that dies at the given crash: from then on nothing that its attempt asks for happens, and no answer ever comes, as for code that is not
 * there any more.
 */
export function createMortalProcess(
  { store, ask, tools }: Pick<MortalProcess, 'store' | 'ask' | 'tools'>,
  crash: SimulatedCrash | undefined,
): MortalProcess {
  let isDead = false;
  let die = () => {};
  const died = new Promise<'died'>((resolve) => {
    die = () => {
      isDead = true;
      resolve('died');
    };
  });
  const alive = <Result>(work: () => Promise<Result>): Promise<Result> => (isDead ? new Promise(() => {}) : work());
  return {
    died,
    store: {
      begin: (operation) => alive(() => store.begin(operation)),
      checkpoint: (number, state) => alive(() => store.checkpoint(number, state)),
      append: (events) => alive(() => store.append(events)),
      finish: (operation, attached) =>
        alive(async () => {
          const moment = crash?.isHere(operation);
          if (moment !== 'during') {
            const result = await store.finish(operation, attached);
            if (moment === undefined) return result;
          }
          die();
          return new Promise(() => {});
        }),
    },
    ask: (messages, options, listeners) => alive(() => ask(messages, options, listeners)),
    tools: tools.map((tool) => {
      const { run } = tool;
      return run ? { ...tool, run: (input, call) => alive(async () => run.call(tool, input, call)) } : tool;
    }),
  };
}
