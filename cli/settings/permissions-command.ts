import type { Command } from 'commander';
import { isMcpToolName } from '../../domain/mcp/mcp-server.ts';
import type { Rule } from '../../domain/permissions/rule.ts';
import type { CommandContext } from '../program/command-context.ts';

interface PermissionsOptions {
  project?: string;
  json?: boolean;
}

export function addPermissions(program: Command, context: CommandContext): void {
  const permissions = program
    .command('permissions')
    .description('list the rules in force and where they come from')
    .option('--project <project>', 'also those of this project')
    .option('--json', 'as JSON')
    .action(async ({ project, json }: PermissionsOptions) => {
      const rules = await readRules(context, project);
      if (json) return context.printJson(rules.map(({ effect, text, origin }) => ({ effect, rule: text, origin })));
      const { alignColumns } = await import('../render/columns.ts');
      const rows = rules.map(({ effect, text, origin }) => [effect, text, origin]);
      context.print(alignColumns(rows).join('\n'));
    });
  permissions
    .command('explain')
    .description('say which rule decides a call, and why')
    .argument('<call>', 'such as "Run(npm install && rm -rf /)" or "Land(.envrc)"')
    .option('--project <project>', 'with the rules of this project')
    .option('--json', 'as JSON')
    .action(async (text: string, _: PermissionsOptions, command: Command) => {
      const { project, json } = command.optsWithGlobals<PermissionsOptions>();
      const { parseCall } = await import('../../domain/permissions/parse-rules.ts');
      const { decide } = await import('../../domain/permissions/decide.ts');
      const { describeDecision } = await import('../../domain/permissions/describe-decision.ts');
      const call = parseCall(text);
      const decision = decide(await readRules(context, project), call);
      if (json) return context.printJson(decision);
      context.print(describeDecision(call, decision));
      const { isToolName } = await import('../../agents/tools/tool-declarations.ts');
      if (call.kind === 'Tool' && !isToolName(call.subject) && !isMcpToolName(call.subject)) {
        context.note(
          `Longhaul has no tool of the name "${call.subject}": it can only be one that was made, or an agent's own.`,
        );
      }
    });
}

async function readRules(context: CommandContext, reference: string | undefined): Promise<Rule[]> {
  const { rulesInForce } = await import('../../domain/permissions/rules-in-force.ts');
  const { agents } = await context.configurationWithFile();
  if (reference === undefined) return rulesInForce(agents.permissions.rules);
  const { permissions } = await context.withLonghaul(async (longhaul) =>
    (await longhaul.project(reference)).settings(),
  );
  return rulesInForce(agents.permissions.rules, permissions);
}
