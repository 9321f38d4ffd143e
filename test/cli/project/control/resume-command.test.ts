import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import type { CommandContext } from '../../../../cli/program/command-context.ts';
import { addResume } from '../../../../cli/project/control/resume-command.ts';

test('models named at a resume reach the project', async () => {
  const asked: unknown[] = [];
  const project = {
    id: 'spend',
    status: async () => ({ status: 'WAITING', overBudget: null }),
    resume: async (request: unknown) => void asked.push(request),
  };
  const context = {
    withLonghaul: (work: (longhaul: object) => unknown) => work({ project: async () => project }),
    printMessage() {},
  } as unknown as CommandContext;
  for (const parameters of [[], ['--model', 'openai/gpt-5', '--model', 'code=vllm/qwen3']]) {
    const program = new Command();
    addResume(program, context);
    await program.parseAsync(['resume', 'spend', ...parameters], { from: 'user' });
  }
  expect(asked).toEqual([{}, { model: 'openai/gpt-5', models: { code: 'vllm/qwen3' } }]);
});
