import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { renderCompletion } from '../../../cli/completion/render-completion.ts';

const program = new Command('longhaul').option('--version', 'print the version');
program.command('start').description("start: a person's goal").option('--model <model>', 'the model');
const chats = program.command('chats').description('conversations').option('--json', 'as JSON');
chats.command('show <name>').description('show one').option('-y, --yes', 'do not ask');

/** What bash completes for these words; the last one is being typed. */
function completedBy(...words: string[]): string[] {
  const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _longhaul; echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${renderCompletion(program, 'bash')}\n${ask}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim().split(' ').filter(Boolean);
}

test('bash completes commands, commands of groups and options', () => {
  expect(completedBy('longhaul', 's')).toEqual(['start']);
  expect(completedBy('longhaul', '')).toEqual(['start', 'chats', 'help', '--version', '--help']);
  expect(completedBy('longhaul', 'chats', '')).toEqual(['show', 'help', '--json', '--help']);
  expect(completedBy('longhaul', 'chats', 'show', 'garden', '--y')).toEqual(['--yes']);
  expect(completedBy('longhaul', 'start', '--model', 'start', '--m')).toEqual(['--model']);
});

test('descriptions are quoted for zsh and fish', () => {
  expect(renderCompletion(program, 'zsh')).toContain(`'start:start\\: a person'\\''s goal'`);
  const fish = renderCompletion(program, 'fish');
  expect(fish).toContain(`complete -c longhaul -n '__longhaul_at ""' -a start -d 'start: a person'\\''s goal'`);
  expect(fish).toContain(`complete -c longhaul -n '__longhaul_at "/chats/show"' -l yes -d 'do not ask'`);
});
