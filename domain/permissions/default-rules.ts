import { parseRules } from './parse-rules.ts';
import type { Rule } from './rule.ts';

/** The name by which rules know a memory for all conversations that is second-hand: what pages or made tools say may have led to it. */
export const secondHandMemory = 'write_second_hand_memory';

/**
 * Files that run by themselves in a person's folder: when a folder is entered or opened, at a commit or push, or with a program that only looks like it
 * reads. What a person has to start, such as the scripts of a `package.json`, is not among them.
 */
const runByThemselves = {
  'a shell that enters the folder, or a version manager': [
    '.envrc',
    '.autoenv',
    '.autoenv.zsh',
    'mise.toml',
    '.mise.toml',
    'mise.local.toml',
    '.mise.local.toml',
    '.mise/**',
    '.config/mise/**',
    '.config/mise.toml',
    '.hg/**',
    '.jj/**',
    '.pijul/**',
    '_darcs/**',
    '.pryrc',
    '.irbrc',
    'rust-toolchain',
    'rust-toolchain.toml',
  ],
  'an editor that opens the folder': [
    '.vscode/**',
    '*.code-workspace',
    '.idea/**',
    '.zed/**',
    '.devcontainer/**',
    '.devcontainer.json',
    '.gitpod.yml',
    '.exrc',
    '.helix/**',
    '.fleet/**',
    '.nvim.lua',
    '.nvimrc',
    '.vimrc',
    '.lvimrc',
    '.dir-locals.el',
    '.dir-locals-2.el',
  ],
  'git, at a commit, a checkout or a push': [
    '.husky/**',
    '.githooks/**',
    '.pre-commit-config.yaml',
    'lefthook.{toml,json*,y*ml}',
    '.lefthook.{toml,json*,y*ml}',
    'lefthook-local.{toml,json*,y*ml}',
    '.lefthook-local.{toml,json*,y*ml}',
    '.config/lefthook*',
    '.lefthook/**',
    '.lefthook-local/**',
    '.overcommit.yml',
    '.lfsconfig',
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
    '.travis.yml',
    '.forgejo/workflows/**',
    '.forgejo/actions/**',
    '.gitea/workflows/**',
    '.gitea/actions/**',
    '.gitlab/ci/**',
    '.buildkite/**',
    '.drone.yml',
    '.woodpecker.y*ml',
    '.woodpecker/**',
    '.cirrus.yml',
  ],
  'a package manager, whatever it is asked': [
    '.npmrc',
    '.yarnrc*',
    '.yarn/**',
    '.pnpmfile.*',
    'pnpm-workspace.yaml',
    '.pnp.*',
    'bunfig.toml',
    '.mvn/**',
    '.cargo/**',
    '.bundle/**',
  ],
  // Not AGENTS.md, which a project's own agents may be there to write; skills have programs that agents run.
  'an agent that works in the folder': [
    '.mcp.json',
    '.agents/**',
    '.claude/**',
    'CLAUDE.md',
    '.cursor/**',
    '.cursorrules',
    '.codex/**',
    '.gemini/**',
    '.opencode/**',
    'opencode.json*',
    '.kiro/**',
    '.windsurf/**',
    '.roo/**',
    '.clinerules/**',
    '.continue/**',
    '.junie/**',
    '.aider.conf.yml',
    'CLAUDE.local.md',
    'GEMINI.md',
    '.github/copilot-instructions.md',
    '.github/{instructions,prompts,agents,hooks}/**',
  ],
};

/**
 * What reaches beyond one chat: projects, a tool for all, a memory for all of an agent that has read pages or output of made tools, and what an MCP
 * server does. A pause and a note in the progress log of a project do no harm.
 */
const reachBeyond = [
  'create_long_running_project',
  'add_project_feature',
  'update_feature_status',
  'record_project_decision',
  'record_decision_outcome',
  'resume_project',
  'abandon_project',
  'revert_project',
  'generate_tool',
  secondHandMemory,
  'mcp__*',
];

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
