import { describe, expect, test } from '@jest/globals';
import { generateText, isStepCount, Output, streamText, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';
import { defineTool } from '../../../agents/runtime/tools/define-tool.ts';
import { storableText } from '../../../domain/storable-text.ts';
import { durable, modelOf, toolsOf } from '../../../frameworks/ai-sdk/index.ts';
import { calls, memoryRun } from '../../support/work/memory-run.ts';

const inputSchema = z.object({ city: z.string() });

function countingTools() {
  const ran: string[] = [];
  const counting = (name: string) =>
    tool({
      description: `Tells the ${name}.`,
      inputSchema,
      execute: ({ city }) => {
        ran.push(name);
        return { [name]: `${name} of ${city}` };
      },
    });
  return { ran, tools: { wind: counting('wind'), rain: counting('rain') } };
}

describe('the AI SDK on a run', () => {
  test('nothing that was answered or done before a crash is asked or done again', async () => {
    const run = memoryRun([calls('wind', 'rain'), new Error('The process died.'), { text: 'Windy.' }]);
    const { ran, tools } = countingTools();
    const ask = () => {
      const context = run.context();
      const durableTools = durable(context, tools);
      return generateText({ model: context.model, tools: durableTools, prompt: 'Oslo?', stopWhen: isStepCount(5) });
    };
    await expect(ask()).rejects.toThrow('The process died.');

    const { text, steps } = await ask();
    expect(text).toBe('Windy.');
    expect(steps).toHaveLength(2);
    expect(ran).toEqual(['wind', 'rain']);
    expect(run.asked).toHaveLength(3);
    expect(run.asked[2]?.messages.slice(1)).toEqual([
      expect.objectContaining({ role: 'assistant', content: '' }),
      { role: 'tool', toolCallId: 'wind-0', content: '{"wind":"wind of Oslo"}' },
      { role: 'tool', toolCallId: 'rain-1', content: '{"rain":"rain of Oslo"}' },
    ]);
  });

  test('a tool that failed is not tried again after a crash, since the model was told', async () => {
    const run = memoryRun([calls('wind'), new Error('The process died.'), { text: 'No idea.' }]);
    let tries = 0;
    const wind = tool({
      inputSchema,
      execute: (): string => {
        tries += 1;
        throw new RangeError('The station is closed.');
      },
    });
    const ask = () => {
      const context = run.context();
      return generateText({
        ...{ model: context.model, tools: durable(context, { wind }), prompt: 'Oslo?' },
        stopWhen: isStepCount(5),
      });
    };
    await expect(ask()).rejects.toThrow('The process died.');
    expect((await ask()).text).toBe('No idea.');
    expect(tries).toBe(1);
    expect(run.asked[1]?.messages).toEqual(run.asked[2]?.messages);
    expect(run.asked[2]?.messages.at(-1)?.content).toBe('RangeError: The station is closed.');
    expect(run.events.filter(({ type }) => type === 'tool.result')).toHaveLength(1);
  });

  test('a call that must not be begun twice is told to the model as cut off', async () => {
    const run = memoryRun([calls('order'), { text: 'I will ask.' }]);
    const order = (execute: () => Promise<string>) => ({ order: tool({ inputSchema, execute }) });
    const ask = (execute: () => Promise<string>) => {
      const context = run.context();
      return generateText({
        ...{ model: context.model, tools: durable(context, order(execute), { once: ['order'] }), prompt: 'Pizza.' },
        stopWhen: isStepCount(5),
      });
    };
    await new Promise<void>((begun) => {
      void ask(() => {
        begun();
        return new Promise(() => {}); // as in a process that dies here
      });
    });
    const { text } = await ask(async () => 'ordered twice');
    expect(text).toBe('I will ask.');
    expect(run.asked[1]?.messages.at(-1)?.content).toMatch(/An earlier attempt began the call of "order"/);
  });

  test('a stream gives the text in pieces, and the whole after a crash', async () => {
    const run = memoryRun([calls('wind'), { text: 'Windy in Oslo.' }]);
    const { ran, tools } = countingTools();
    const pieces = async () => {
      const context = run.context();
      const stream = streamText({
        ...{ model: modelOf(context), tools: durable(context, tools), prompt: 'Oslo?', stopWhen: isStepCount(5) },
      });
      const read: string[] = [];
      for await (const piece of stream.textStream) read.push(piece);
      return read;
    };
    expect(await pieces()).toEqual(['Win', 'dy ', 'in ', 'Osl', 'o.']);
    expect(await pieces()).toEqual(['Windy in Oslo.']);
    expect(ran).toEqual(['wind']);
  });

  test('a stream may have what the record cannot keep', async () => {
    const run = memoryRun([{ text: 'A\0B' }], { keeps: storableText });
    const { textStream } = streamText({ model: run.context().model, prompt: 'Oslo?' });
    const read: string[] = [];
    for await (const piece of textStream) read.push(piece);
    expect(read).toEqual(['A\0B']);
    expect(await generateText({ model: run.context().model, prompt: 'Oslo?' })).toMatchObject({ text: 'A\uFFFDB' });
  });

  test('a stream reports why there is no answer', async () => {
    const run = memoryRun([new Error('No model answers.')]);
    const errors: unknown[] = [];
    const stream = streamText({
      ...{ model: run.context().model, prompt: 'Oslo?' },
      onError: ({ error }) => void errors.push(error),
    });
    await stream.consumeStream();
    expect(errors).toEqual([new Error('No model answers.')]);
  });

  test('an agent of the SDK has instructions and the tools that Longhaul defines', async () => {
    const run = memoryRun([calls('wind'), { text: 'Windy.' }], {
      tools: [
        defineTool({
          ...{ name: 'wind', description: 'Tells the wind.', parameters: inputSchema },
          run: ({ city }) => `storm in ${city}`,
        }),
      ],
    });
    const context = run.context();
    const agent = new ToolLoopAgent({
      ...{ model: context.model, instructions: 'You know the weather.', tools: toolsOf(context) },
    });
    expect((await agent.generate({ prompt: 'Oslo?' })).text).toBe('Windy.');
    expect(run.asked[0]?.messages[0]).toEqual({ role: 'system', content: 'You know the weather.' });
    expect(run.asked[0]?.tools).toEqual([
      expect.objectContaining({
        ...{ name: 'wind', description: 'Tells the wind.' },
        parameters: expect.objectContaining({ required: ['city'] }),
      }),
    ]);
    expect(run.asked[1]?.messages.at(-1)).toEqual({ role: 'tool', toolCallId: 'wind-0', content: 'storm in Oslo' });
  });

  test('a tool of the agent that failed is not run again after a crash', async () => {
    let tries = 0;
    const wind = defineTool({
      ...{ name: 'wind', description: 'Tells the wind.', parameters: inputSchema },
      run: () => {
        tries += 1;
        throw new Error('The station is closed.');
      },
    });
    const run = memoryRun([calls('wind'), new Error('The process died.'), { text: 'No idea.' }], { tools: [wind] });
    const ask = () => {
      const context = run.context();
      return generateText({
        ...{ model: context.model, tools: toolsOf(context), prompt: 'Oslo?', stopWhen: isStepCount(5) },
      });
    };
    await expect(ask()).rejects.toThrow('The process died.');
    expect((await ask()).text).toBe('No idea.');
    expect(tries).toBe(1);
  });

  test('structured output, tool choice and settings reach the model', async () => {
    const run = memoryRun([calls('wind'), { text: '{"degrees":3}' }]);
    const { tools } = countingTools();
    const { output } = await generateText({
      model: modelOf(run.context(), { model: ['openai/gpt-5', 'anthropic/claude-sonnet-5'] }),
      ...{ tools, toolChoice: { type: 'tool', toolName: 'wind' }, prompt: 'Oslo?' },
      ...{ stopWhen: isStepCount(2), prepareStep: ({ stepNumber }) => (stepNumber ? { toolChoice: 'none' } : {}) },
      ...{ temperature: 0.5, maxOutputTokens: 100, reasoning: 'low' },
      output: Output.object({ schema: z.object({ degrees: z.number() }) }),
    });
    expect(output).toEqual({ degrees: 3 });
    expect(run.asked[1]?.toolChoice).toBe('none');
    expect(run.asked[0]).toMatchObject({
      ...{ model: 'openai/gpt-5,anthropic/claude-sonnet-5', toolChoice: { tool: 'wind' } },
      ...{ temperature: 0.5, maxOutputTokens: 100, reasoningEffort: 'low' },
      answerSchema: { name: 'answer', schema: { type: 'object', required: ['degrees'] } },
    });
  });

  test('what a provider wants back goes with the next question', async () => {
    const carried = { provider: 'anthropic', items: [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }] };
    const run = memoryRun([{ ...calls('wind'), carried }, { text: 'Windy.' }]);
    const context = run.context();
    const { tools } = countingTools();
    await generateText({ model: context.model, tools, prompt: 'Oslo?', stopWhen: isStepCount(5) });
    expect(run.asked[1]?.messages[1]).toMatchObject({ role: 'assistant', carried });
  });

  test.each([
    [
      'a picture',
      {
        messages: [
          { role: 'user' as const, content: [{ type: 'file' as const, data: 'AAAA', mediaType: 'image/png' }] },
        ],
      },
      'got a file of the type image/png in a message of the user',
    ],
    [
      'options of a provider',
      { prompt: 'Oslo?', providerOptions: { openai: { user: 'me' } } },
      'got `providerOptions`',
    ],
    ['other settings', { prompt: 'Oslo?', topP: 0.1, seed: 7 }, 'got `topP`, `seed`'],
    ['headers', { prompt: 'Oslo?', headers: { 'x-mine': '1' } }, 'got the header x-mine'],
    ['JSON of any form', { prompt: 'Oslo?', output: Output.json() }, 'got JSON of any form'],
  ])('%s cannot be carried, which an error says', async (_what, settings, said) => {
    const run = memoryRun([{ text: '{}' }]);
    await expect(generateText({ model: run.context().model, ...settings })).rejects.toThrow(said);
    expect(run.asked).toEqual([]);
  });
});
