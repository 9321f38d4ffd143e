import { describe, expect, test } from '@jest/globals';
import { Agent, Runner, tool } from '@openai/agents';
import { z } from 'zod';
import type { AgentContext } from '../../../agents/runtime/agent-context.ts';
import { defineTool } from '../../../agents/runtime/tools/define-tool.ts';
import { durable, modelOf, providerOf, toolsOf } from '../../../frameworks/openai-agents/index.ts';
import { calls, type MemoryRun, memoryRun } from '../../support/work/memory-run.ts';

const parameters = z.object({ city: z.string() });

function countingTools() {
  const ran: string[] = [];
  const counting = (name: string) =>
    tool({
      ...{ name, description: `Tells the ${name}.`, parameters },
      execute: async ({ city }) => {
        ran.push(name);
        return `${name} of ${city}`;
      },
    });
  return { ran, tools: [counting('wind'), counting('rain')] };
}

const runner = (context: AgentContext) => new Runner({ modelProvider: providerOf(context), tracingDisabled: true });

function askWith(run: MemoryRun, toolsFor: (context: AgentContext) => Agent['tools']) {
  const context = run.context();
  const agent = new Agent({ name: 'Weather', instructions: 'You know the weather.', tools: toolsFor(context) });
  return runner(context).run(agent, 'Oslo?');
}

describe("OpenAI's agents on a run", () => {
  test('nothing that was answered or done before a crash is asked or done again', async () => {
    const run = memoryRun([calls('wind', 'rain'), new Error('The process died.'), { text: 'Windy.' }]);
    const { ran, tools } = countingTools();
    const ask = () => askWith(run, (context) => durable(context, tools));
    await expect(ask()).rejects.toThrow('The process died.');

    expect((await ask()).finalOutput).toBe('Windy.');
    expect(ran).toEqual(['wind', 'rain']);
    expect(run.asked).toHaveLength(3);
    expect(run.asked[2]?.messages).toEqual([
      { role: 'system', content: 'You know the weather.' },
      { role: 'user', content: 'Oslo?' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [expect.objectContaining({ name: 'wind' }), expect.objectContaining({ name: 'rain' })],
      },
      { role: 'tool', toolCallId: 'wind-0', content: 'wind of Oslo' },
      { role: 'tool', toolCallId: 'rain-1', content: 'rain of Oslo' },
    ]);
  });

  test('a call that must not be begun twice is told to the model as cut off', async () => {
    const run = memoryRun([calls('order'), { text: 'I will ask.' }]);
    const ask = (execute: () => Promise<string>) =>
      askWith(run, (context) =>
        durable(context, [tool({ name: 'order', description: 'Orders.', parameters, execute })], { once: ['order'] }),
      );
    await new Promise<void>((begun) => {
      void ask(() => {
        begun();
        return new Promise(() => {}); // as in a process that dies here
      });
    });
    expect((await ask(async () => 'ordered twice')).finalOutput).toBe('I will ask.');
    expect(run.asked[1]?.messages.at(-1)?.content).toMatch(/^An earlier attempt began the call of "order"/);
  });

  test('a failure that ends the run is not kept, so that another try may do better', async () => {
    const run = memoryRun([calls('wind'), { text: 'Windy.' }]);
    let tries = 0;
    const wind = tool({
      ...{ name: 'wind', description: 'Tells the wind.', parameters, errorFunction: null },
      execute: async () => {
        tries += 1;
        if (tries === 1) throw new Error('The station is closed.');
        return 'storm';
      },
    });
    const ask = () => askWith(run, (context) => durable(context, [wind]));
    await expect(ask()).rejects.toThrow('The station is closed.');
    expect((await ask()).finalOutput).toBe('Windy.');
    expect(run.asked).toHaveLength(2);
  });

  test('a stream gives the text in pieces, and the whole after a crash', async () => {
    const run = memoryRun([calls('wind'), { text: 'Windy in Oslo.', usage: { inputTokens: 7, outputTokens: 3 } }]);
    const { ran, tools } = countingTools();
    const pieces = async () => {
      const context = run.context();
      const agent = new Agent({ name: 'Weather', model: modelOf(context), tools: durable(context, tools) });
      const result = await runner(context).run(agent, 'Oslo?', { stream: true });
      const read: string[] = [];
      for await (const piece of result.toTextStream()) read.push(piece);
      await result.completed;
      expect(result.runContext.usage).toMatchObject({ requests: 2, inputTokens: 7, outputTokens: 3 });
      return read;
    };
    expect(await pieces()).toEqual(['Win', 'dy ', 'in ', 'Osl', 'o.']);
    expect(await pieces()).toEqual(['Windy in Oslo.']);
    expect(ran).toEqual(['wind']);
  });

  test('a failing tool of the agent is told to the model, and not run again after a crash', async () => {
    let tries = 0;
    const wind = defineTool({
      ...{ name: 'wind', description: 'Tells the wind.', parameters },
      run: () => {
        tries += 1;
        throw new Error('The station is closed.');
      },
    });
    const run = memoryRun([calls('wind'), new Error('The process died.'), { text: 'No idea.' }], { tools: [wind] });
    await expect(askWith(run, toolsOf)).rejects.toThrow('The process died.');
    expect((await askWith(run, toolsOf)).finalOutput).toBe('No idea.');
    expect(tries).toBe(1);
    expect(run.asked[2]?.messages.at(-1)?.content).toBe('The tool failed: The station is closed.');
  });

  test('a hand-off, structured output, tool choice and settings reach the model', async () => {
    const carried = { provider: 'anthropic', items: [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }] };
    const handOff = { id: 'h', name: 'transfer_to_Meteorologist', arguments: '{}' };
    const run = memoryRun([{ toolCalls: [handOff], carried }, { text: '{"degrees":3}' }]);
    const context = run.context();
    const meteorologist = new Agent({
      ...{ name: 'Meteorologist', model: 'anthropic/claude-sonnet-5', tools: countingTools().tools },
      outputType: z.object({ degrees: z.number() }),
      modelSettings: { toolChoice: 'wind', temperature: 0.5, maxTokens: 100, reasoning: { effort: 'low' } },
    });
    const desk = Agent.create({ name: 'Desk', handoffs: [meteorologist] });
    const { finalOutput } = await runner(context).run(desk, 'Oslo?');
    expect(finalOutput).toEqual({ degrees: 3 });
    expect(run.asked[0]?.tools).toEqual([expect.objectContaining({ name: 'transfer_to_Meteorologist' })]);
    expect(run.asked[1]).toMatchObject({
      ...{ model: 'anthropic/claude-sonnet-5', toolChoice: { tool: 'wind' } },
      ...{ temperature: 0.5, maxOutputTokens: 100, reasoningEffort: 'low' },
      answerSchema: { schema: { type: 'object', required: ['degrees'] } },
    });
    expect(run.asked[1]?.messages[1]).toMatchObject({ role: 'assistant', toolCalls: [handOff], carried });
  });

  test.each([
    [
      'a picture',
      [{ role: 'user' as const, content: [{ type: 'input_image' as const, image: 'data:' }] }],
      {},
      'got "input_image" in a message of the user',
    ],
    ['options of a provider', 'Oslo?', { providerData: { user: 'me' } }, 'got `providerData`'],
    ['other settings', 'Oslo?', { topP: 0.1, parallelToolCalls: false }, 'got `topP`, `parallelToolCalls`'],
    ['an unknown effort', 'Oslo?', { reasoning: { effort: 'xhigh' as const } }, 'got the reasoning effort "xhigh"'],
  ])('%s cannot be carried, which an error says', async (_what, input, modelSettings, said) => {
    const run = memoryRun([{ text: 'Yes.' }]);
    const context = run.context();
    const agent = new Agent({ name: 'Weather', modelSettings });
    await expect(runner(context).run(agent, input)).rejects.toThrow(said);
    expect(run.asked).toEqual([]);
  });
});
