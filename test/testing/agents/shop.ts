import { z } from 'zod';
import type { AgentContext } from '../../../agents/runtime/agent-context.ts';
import { defineAgent } from '../../../agents/runtime/definition/define-agent.ts';
import { defineTool } from '../../../agents/runtime/tools/define-tool.ts';

/** What the tools of these agents did in the world. */
export const effects: string[] = [];

export const charge = defineTool({
  name: 'charge',
  description: 'Charges a card.',
  parameters: z.object({ cents: z.int() }),
  hasSideEffects: true,
  run: ({ cents }) => {
    effects.push(`charged ${cents}`);
    return { receipt: `r-${cents}` };
  },
});

export const stock = defineTool({
  name: 'stock',
  description: 'How many are left.',
  parameters: z.object({ item: z.string() }),
  run: ({ item }) => `7 of ${item}`,
});

/** Declared, with a text as its result. */
export const clerk = defineAgent({ key: 'clerk', instructions: 'You sell.', tools: [charge, stock] });

/** Declared, with a form. */
export const counter = defineAgent({
  key: 'counter',
  instructions: 'You count.',
  tools: [stock],
  output: z.object({ left: z.int() }),
});

/** Coded: asks a model what to charge, charges, and writes the receipt. */
export const cashier = defineAgent({
  key: 'cashier',
  tools: [charge, stock],
  async run(context: AgentContext<unknown, { cents: number }>) {
    const cents = context.state?.cents ?? (await askForPrice(context));
    const { receipt } = (await context.callTool('charge', { cents })) as { receipt: string };
    const mailed = await context.once('mail', async () => {
      effects.push(`mailed ${receipt}`);
      return 'm-1';
    });
    await context.emit('order.closed', { receipt });
    return { finalOutput: `${receipt} ${mailed}` };
  },
});

async function askForPrice(context: AgentContext<unknown, { cents: number }>): Promise<number> {
  const { output } = await context.generate([...context.inputMessages], { output: z.object({ cents: z.int() }) });
  await context.checkpoint({ cents: output.cents });
  return output.cents;
}
