import { expect, test } from '@jest/globals';
import * as ownAgents from '../../../agents/own-agents/parse-agent.ts';
import * as prompts from '../../../agents/render-prompt.ts';
import { badInputErrors, exitCodeOf, exitCodes } from '../../../cli/program/exit-code.ts';
import * as client from '../../../client/errors.ts';
import * as config from '../../../domain/configuration-error.ts';
import * as madeTools from '../../../domain/tool/refusal.ts';

type ErrorClass = new (message: string, more: string[]) => Error;

const exported: Record<string, unknown> = {
  ...madeTools,
  ...ownAgents,
  ...prompts,
  ...client,
  ...config,
};

test.each([...badInputErrors])('%s would no longer be bad input once its class is renamed', (name) => {
  const error = new (exported[name] as ErrorClass)('wrong', ['wrong']);
  expect(error.name).toBe(name);
  expect(exitCodeOf(error)).toBe(exitCodes.badInput);
});
