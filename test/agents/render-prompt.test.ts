import { expect, test } from '@jest/globals';
import { agentDefinitions, delegateDefinitions } from '../../agents/agent-definition.ts';
import { readShippedPrompt } from '../../agents/load-prompts.ts';
import { PromptError, renderPrompt } from '../../agents/render-prompt.ts';

const prompt = { path: '/prompts/task.md', text: '# {{goal}}\n{{repository}}\n' };

test('a missing variable is an error', () => {
  expect(() => renderPrompt(prompt, { goal: 'x' })).toThrow(PromptError);
  expect(() => renderPrompt(prompt, { goal: 'x' })).toThrow(
    /^The prompt \/prompts\/task\.md does not know \{\{repository\}\}: remove it\. `longhaul prompts show --shipped task`/,
  );
});

test('an unused variable is an error', () => {
  expect(() => renderPrompt(prompt, { goal: 'x', repository: 'y', more: 'z' })).toThrow(
    /has to use \{\{more\}\}: add it\./,
  );
});

test('text that looks like a variable in a value is left alone', () => {
  expect(renderPrompt(prompt, { goal: 'print {{name}}', repository: 'y' })).toBe('# print {{name}}\ny');
});

test('no prompt speaks of a tool that its agent does not have', () => {
  const definitions = [...Object.values(agentDefinitions), ...Object.values(delegateDefinitions)];
  const all = definitions.flatMap((definition) => definition.tools as readonly string[]);
  for (const { instructions, tools } of definitions) {
    const { text } = readShippedPrompt(instructions);
    const named = [...text.matchAll(/`([a-z]+_[a-z_]+|finish)`/g)].map((match) => String(match[1]));
    const foreign = named.filter((name) => all.includes(name) && !(tools as readonly string[]).includes(name));
    expect(named.length > 0).toBe(tools.length > 0);
    expect(foreign).toEqual([]);
  }
});
