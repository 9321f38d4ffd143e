import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { parseCount } from '../program/parse-count.ts';
import type { McpCommandOptions } from './serve-mcp.ts';

/** Beside the 8234 of `longhaul codec`. */
const defaultPort = 8235;

export function addMcp(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .description('serve projects to other agents over MCP, on standard input and output')
    .option(
      '--folder <path...>',
      'folders in which a client may start projects (default: the current one, unless that is your home)',
    )
    .option('--http', 'serve over streamable HTTP on 127.0.0.1 instead, with a token, until Ctrl-C')
    .option('--port <port>', 'port on 127.0.0.1', parseCount, defaultPort)
    .option('--token-file <path>', 'file with the token (default: mcp-token in the data folder)')
    .action(async (options: McpCommandOptions) => {
      const { serveMcp } = await import('./serve-mcp.ts');
      await serveMcp(context, options);
    });
}
