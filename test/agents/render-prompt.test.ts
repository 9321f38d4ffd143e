import { expect, test } from '@jest/globals';
import { agentDefinitions } from '../../agents/agent-definition.ts';
import { PromptVariableError, renderPrompt } from '../../agents/render-prompt.ts';

test('a variable that is not given is an error, not an empty place', () => {
  expect(() => renderPrompt('initializer-task', { goal: 'x' })).toThrow(PromptVariableError);
});

test('a variable that the prompt does not use is an error', () => {
  expect(() => renderPrompt('initializer-task', { goal: 'x', repository: 'y', more: 'z' })).toThrow(/not used: more/);
});

test('text that looks like a variable in a value is left alone', () => {
  expect(renderPrompt('initializer-task', { goal: 'print {{name}}', repository: 'y' })).toContain('print {{name}}');
});

test('no prompt speaks of a tool that its agent does not have', () => {
  const variables = { turns: '5', environment: 'here', network: 'No network.', specialist: 'code' };
  const all = Object.values(agentDefinitions).flatMap((definition) => definition.tools as readonly string[]);
  for (const { instructions, tools } of Object.values(agentDefinitions)) {
    const template = renderAny(instructions, variables);
    const named = [...template.matchAll(/`([a-z]+_[a-z_]+|finish)`/g)].map((match) => String(match[1]));
    const foreign = named.filter((name) => all.includes(name) && !(tools as readonly string[]).includes(name));
    expect(foreign).toEqual([]);
  }
});

/** Renders with as many of the variables as the prompt uses. */
function renderAny(name: string, variables: Record<string, string>): string {
  for (let taken = variables; ; ) {
    try {
      return renderPrompt(name, taken);
    } catch (error) {
      const unused = /not used: (.*)\.$/.exec(String(error))?.[1]?.split(', ') ?? [];
      if (!unused.length || unused[0] === 'none') throw error;
      taken = Object.fromEntries(Object.entries(taken).filter(([key]) => !unused.includes(key)));
    }
  }
}
