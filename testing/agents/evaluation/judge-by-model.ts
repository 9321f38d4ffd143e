import { z } from 'zod';
import { fence } from '../../../agents/fence.ts';
import { loadPrompts, type Prompts } from '../../../agents/load-prompts.ts';
import { loadConfiguration } from '../../../config/load-configuration.ts';
import { modelOf } from '../../../domain/model/model-of-role.ts';
import { preview } from '../../../domain/storable-text.ts';
import { AgentTestError } from '../agent-test-error.ts';
import { ScriptedAnswers } from '../scripted-answers.ts';
import type { Judge, Verdict } from './judge.ts';

export interface ModelJudgeOptions {
  /** `provider/model`, or a list, tried in order; that of the role `reviewer` if absent. A script in a test of the judging itself. */
  model?: string | ScriptedAnswers;
  /** Where keys and addresses of providers are read; the process's own if absent. */
  environment?: Record<string, string | undefined>;
}

const verdictSchema = z.object({ reason: z.string(), score: z.number().min(0).max(1) });

/** How often a judge that does not answer in the form is asked again. */
const maxRetries = 2;

/** A judge that is a model: it reads what was asked, what was expected and what came, and takes what the answer says for no instruction. */
export function judgeByModel({ model, environment = process.env }: ModelJudgeOptions = {}): Judge {
  let asking: Promise<Ask> | undefined;
  return async ({ input, expectation, output }) => {
    asking ??= openModel(model, environment);
    const { prompts, ask } = await asking;
    const task = prompts.render('judge-task', {
      input: fence('the question', asText(input)),
      expectation,
      output: fence("the agent's answer", asText(output), 'It said nothing.'),
    });
    let said = '';
    for (let time = 0; time <= maxRetries; time += 1) {
      said = await ask(prompts.render('judge', {}), task);
      const verdict = readVerdict(said);
      if (verdict) return verdict;
    }
    throw new AgentTestError(
      'ExpectationFailed',
      `Expected the judge to answer with a reason and a score from 0 to 1, got: ${preview(said, 300)}`,
    );
  };
}

interface Ask {
  prompts: Prompts;
  ask(system: string, task: string): Promise<string>;
}

async function openModel(
  model: string | ScriptedAnswers | undefined,
  environment: Record<string, string | undefined>,
): Promise<Ask> {
  const messagesOf = (system: string, task: string) => [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: task },
  ];
  const configuration = await loadConfiguration(environment, () => import('../../../models/index.ts'));
  const prompts = loadPrompts(configuration.agents.promptsFolder);
  if (model instanceof ScriptedAnswers) {
    const ask: Ask['ask'] = async (system, task) =>
      (await model.answer({ messages: messagesOf(system, task), tools: [], options: {} })).text;
    return { prompts, ask };
  }
  const { createModels } = await import('../../../models/create-models.ts');
  const models = createModels(configuration.model);
  const names = model ?? modelOf(configuration.model, 'reviewer', {}).value;
  const { $schema: _, ...schema } = z.toJSONSchema(verdictSchema);
  return {
    prompts,
    async ask(system, task) {
      const { text } = await models.complete(names, {
        messages: messagesOf(system, task).map(({ role, content }) => ({ role, content: { text: content } })),
        tools: [],
        answerSchema: { name: 'verdict', schema },
        labels: { Role: 'judge' },
        signal: new AbortController().signal,
      });
      return text;
    },
  };
}

function readVerdict(said: string): Verdict | undefined {
  try {
    const text = /\{[\s\S]*\}/.exec(said)?.[0] ?? said; // a model without forms may put it between fences
    const parsed = verdictSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // not JSON: it is asked again
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
