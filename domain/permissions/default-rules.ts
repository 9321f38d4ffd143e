import { parseRules } from './parse-rules.ts';
import type { Rule } from './rule.ts';

/** The name by which rules know a memory for all conversations that is second-hand: what pages or made tools say may have led to it. */
export const secondHandMemory = 'write_second_hand_memory';

/**
 * Files that run by themselves in a person's folder: when a folder is entered or opened, at a commit or push, or with a program that only looks like it
 * reads. What a person has to start, such as the scripts of a `package.json`, is not among them.
 */
const runByThemselves = {
  'a shell that enters the folder': ['.envrc', '.autoenv', '.autoenv.zsh', 'mise.toml', '.mise.toml'],
  'an editor that opens the folder': [
    '.vscode/**',
    '*.code-workspace',
    '.idea/**',
    '.zed/**',
    '.devcontainer/**',
    '.devcontainer.json',
    '.gitpod.yml',
    '.exrc',
    '.nvim.lua',
    '.dir-locals.el',
  ],
  'git, at a commit, a checkout or a push': [
    '.husky/**',
    '.githooks/**',
    '.pre-commit-config.yaml',
    'lefthook.y*ml',
    '.lefthook.y*ml',
    '.gitattributes',
    '.gitmodules',
  ],
  'a server, with its secrets, after a push': [
    '.github/workflows/**',
    '.github/actions/**',
    '.gitlab-ci.yml',
    '.circleci/**',
    'Jenkinsfile',
    'azure-pipelines.yml',
    'bitbucket-pipelines.yml',
  ],
  'a package manager, whatever it is asked': [
    '.npmrc',
    '.yarnrc*',
    '.yarn/**',
    '.pnpmfile.cjs',
    '.cargo/**',
    '.bundle/**',
  ],
  'an agent that works in the folder': ['.mcp.json', '.claude/**', '.cursor/**', '.codex/**', '.gemini/**'],
};

/** What reaches beyond one chat: a project, a tool for all, and a memory for all of an agent that has read pages or output of made tools. */
const reachBeyond = ['start_project', 'generate_tool', secondHandMemory];

/** What a project spends, where a person has set neither a rule on it nor a budget in dollars. */
const spending = ['Spend(>20 USD)'];

/** What is asked for where no rule of a person decides; all else is allowed, but hosts, which the network's own setting decides on. */
export const defaultRules: readonly Rule[] = parseRules(
  {
    ask: [
      ...Object.values(runByThemselves)
        .flat()
        .map((pattern) => `Land(${inEveryFolder(pattern)})`),
      ...reachBeyond.map((tool) => `Tool(${tool})`),
      ...spending,
    ],
  },
  'default',
);

function inEveryFolder(pattern: string): string {
  return pattern.includes('/') ? `**/${pattern}` : pattern;
}
