import { describeWhatRemains } from '../../../db/budget/read-standings.ts';
import { inProject } from '../../../db/project/project-transaction.ts';
import { findRequest, openRequest, type RequestRow, requestId } from '../../../db/requests/requests.ts';
import { describeRule } from '../../../domain/permissions/describe-decision.ts';
import { judgeSpending, rulesOnSpending } from '../../../domain/permissions/judge-spending.ts';
import type { Rule, RuleTexts } from '../../../domain/permissions/rule.ts';
import { rulesInForce } from '../../../domain/permissions/rules-in-force.ts';
import { formatDollars, type SpendingStop, type Spent } from '../../../domain/project/budgets.ts';
import type { Budgets } from '../../../domain/project/settings.ts';
import { preview } from '../../../domain/storable-text.ts';
import type { Dependencies } from '../../dependencies.ts';

export interface Spending {
  budgets: Budgets | null;
  permissions: RuleTexts | null;
  /** What the project has spent. */
  readSpent(): Promise<Pick<Spent, 'usd' | 'unpricedTurns'>>;
}

/** Judges by the rules what a project has spent, and asks a person where one says so; undefined if it may go on. A yes counts for that amount from then on. */
export function createPermitSpending({ database, agents }: Pick<Dependencies, 'database' | 'agents'>) {
  return async (
    projectId: string,
    { budgets, permissions, readSpent }: Spending,
  ): Promise<Omit<SpendingStop, 'budgets'> | undefined> => {
    let rules = rulesOnSpending(rulesInForce(agents.permissions.rules, permissions ?? {}), budgets);
    if (!rules.length) return undefined;
    const spent = await readSpent();
    for (;;) {
      const rule = judgeSpending(rules, spent);
      if (!rule) return undefined;
      const remains = await describeWhatRemains(database, projectId);
      const why = `${describeRule(rule)}, and it has spent ${describeSpent(spent)}`;
      if (rule.effect === 'deny') return { reason: `No more may be spent: ${why}. ${remains}`, byRule: {} };
      const request = await ask(projectId, rule, `It has spent ${describeSpent(spent)}. May it go on? ${remains}`);
      if (request.answer === null) {
        const how = `\`longhaul answer ${request.id} yes\` lets it go on.`;
        return { reason: `A person has to allow more: ${why}. ${how} ${remains}`, byRule: { request: request.id } };
      }
      if (request.answer !== 'yes') return { reason: `${describeNotAllowed(request)} ${remains}`, byRule: {} };
      rules = rules.filter((one) => one !== rule);
    }
  };

  async function ask(projectId: string, rule: Rule, asked: string): Promise<RequestRow> {
    const key = `${projectId}/${rule.text}`;
    const earlier = await findRequest(database, requestId(key));
    if (earlier && earlier.answeredBy !== 'withdrawn') return earlier;
    return inProject(database, projectId, (transaction) =>
      openRequest(
        transaction,
        { key, kind: 'spending', items: [rule.text], rule: describeRule(rule), asked },
        agents.permissions.requests,
      ),
    );
  }
}

function describeSpent({ usd, unpricedTurns }: Pick<Spent, 'usd' | 'unpricedTurns'>): string {
  const unknown = unpricedTurns === 1 ? '1 turn' : `${unpricedTurns} turns`;
  return `${formatDollars(usd)}${unpricedTurns > 0 ? `, besides ${unknown} of unknown cost` : ''}`;
}

function describeNotAllowed({ id, items, reason }: RequestRow): string {
  const why = reason ? `: ${preview(reason, 200)}` : '.';
  return `${items.join(', ')} was not allowed${why} \`longhaul answer ${id} yes\` allows it after all.`;
}
