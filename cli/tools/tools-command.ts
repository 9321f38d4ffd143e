import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addTools(program: Command, context: CommandContext): void {
  const tools = program.command('tools').description('manage tools made by agents and you; see docs/tools.md');
  const load = () => import('./tools.ts');
  type Json = { json?: boolean };

  tools
    .command('list')
    .description('list made tools with their uses and failures')
    .option('--json', 'as JSON')
    .action(async (options: Json) => (await load()).listTools(context, options));
  tools
    .command('inspect')
    .description("show a tool's parameters, code, tests, versions and last error")
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, options: Json) => (await load()).inspectTool(context, name, options));
  tools
    .command('create')
    .description('create a tool after checking it and running its tests')
    .option('--file <path>', "a tool's folder or a JSON file (default: JSON from a pipe)")
    .option('--new-version', 'replace the tool with this name')
    .action(async (options: { file?: string; newVersion?: boolean }) => (await load()).createTool(context, options));
  tools
    .command('validate')
    .description('check a tool without creating it')
    .argument('<file>', "a tool's folder or a JSON file")
    .action(async (file: string) => (await load()).validateToolFile(context, file));
  tools
    .command('test')
    .description('check a tool again and run its tests in a fresh sandbox')
    .argument('<name>')
    .action(async (name: string) => (await load()).testTool(context, name));
  tools
    .command('export')
    .description('write tools as folders that can be edited and imported')
    .argument('[names...]', 'tools (default: all)')
    .option('-o, --output <folder>', 'target folder (default: the current one)')
    .action(async (names: string[], options: { output?: string }) =>
      (await load()).exportTools(context, names, options),
    );
  tools
    .command('import')
    .description("create tools from a tool's folder, or from a folder of such folders")
    .argument('<folder>')
    .option('--new-version', 'replace tools with the same names')
    .action(async (folder: string, options: { newVersion?: boolean }) =>
      (await load()).importTools(context, folder, options),
    );
  for (const [name, enabled, description] of [
    ['disable', false, 'stop conversations from using a tool'],
    ['enable', true, 'let conversations use a tool again'],
  ] as const) {
    tools
      .command(name)
      .description(description)
      .argument('<name>')
      .action(async (tool: string) => (await load()).enableTool(context, tool, enabled));
  }
  tools
    .command('remove')
    .description('remove a tool and free its name; `export` it first to keep a copy')
    .argument('<name>')
    .action(async (name: string) => (await load()).removeTool(context, name));
}
