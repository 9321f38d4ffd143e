import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addTools(program: Command, context: CommandContext): void {
  const tools = program.command('tools').description('tools that agents and you make; docs/tools.md');
  const load = () => import('./tools.ts');
  type Json = { json?: boolean };

  tools
    .command('list')
    .description('the made tools, how often they are used and how often they fail')
    .option('--json', 'as JSON')
    .action(async (options: Json) => (await load()).listTools(context, options));
  tools
    .command('inspect')
    .description('all of one: parameters, code, tests, versions, last error')
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, options: Json) => (await load()).inspectTool(context, name, options));
  tools
    .command('create')
    .description('make one; it is checked and its tests are run first')
    .option('--file <path>', "a tool's folder or a JSON file; JSON from a pipe where absent")
    .option('--new-version', 'take the place of the one that has the name')
    .action(async (options: { file?: string; newVersion?: boolean }) => (await load()).createTool(context, options));
  tools
    .command('validate')
    .description('check one without making it; needs no stack')
    .argument('<file>', "a tool's folder or a JSON file")
    .action(async (file: string) => (await load()).validateToolFile(context, file));
  tools
    .command('test')
    .description('check one again and run its tests, in a fresh sandbox')
    .argument('<name>')
    .action(async (name: string) => (await load()).testTool(context, name));
  tools
    .command('export')
    .description('write them as folders that can be read, edited and imported')
    .argument('[names...]', 'all where none is named')
    .option('-o, --output <folder>', 'where to; the current folder where absent')
    .action(async (names: string[], options: { output?: string }) =>
      (await load()).exportTools(context, names, options),
    );
  tools
    .command('import')
    .description("make those of a folder: a tool's own, or one of such folders")
    .argument('<folder>')
    .option('--new-version', 'take the place of those that have the names')
    .action(async (folder: string, options: { newVersion?: boolean }) =>
      (await load()).importTools(context, folder, options),
    );
  for (const [name, enabled, description] of [
    ['disable', false, 'keep conversations from using one'],
    ['enable', true, 'let them use it again'],
  ] as const) {
    tools
      .command(name)
      .description(description)
      .argument('<name>')
      .action(async (tool: string) => (await load()).enableTool(context, tool, enabled));
  }
  tools
    .command('remove')
    .description('take one away and free its name; `export` keeps it')
    .argument('<name>')
    .action(async (name: string) => (await load()).removeTool(context, name));
}
