import { expect, test } from '@jest/globals';
import { defaultRules } from '../../../domain/permissions/default-rules.ts';
import { complainOfLanding, judgeLanding } from '../../../domain/permissions/judge-landing.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';
import type { RuleTexts } from '../../../domain/permissions/rule.ts';

/** Judges a commit of these files, all of which it adds unless `before` has them; `path -> target` is a link. */
function judge(files: string[], { before = [], rules = {} }: { before?: string[]; rules?: RuleTexts } = {}) {
  const all = [...before, ...files].map((file) => file.split(' -> '));
  return judgeLanding([...parseRules(rules, 'project'), ...defaultRules], {
    changed: files.map((file) => file.split(' -> ')[0] ?? ''),
    links: all.flatMap(([path = '', target]) => (target === undefined ? [] : [[path, target] as const])),
    files: all.map(([path = '']) => path),
  });
}

const askedOf = (...parameters: Parameters<typeof judge>) => {
  const verdict = judge(...parameters);
  return 'asked' in verdict ? verdict.asked.map(({ path }) => path) : verdict.refused;
};

test('files that run by themselves wait for a yes, others do not', () => {
  const files = ['src/a.ts', '.envrc', 'package.json', '.husky/pre-commit', 'docs/.vscode/tasks.json', 'README.md'];
  expect(askedOf(files)).toEqual(['.envrc', '.husky/pre-commit', 'docs/.vscode/tasks.json']);
});

test.each(
  `.hg/hgrc mise.local.toml .config/mise/config.toml .mise/config.toml rust-toolchain rust-toolchain.toml .mvn/jvm.config .pnp.cjs .pnp.loader.mjs
  .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml lefthook.toml lefthook.json lefthook.yml lefthook-local.yml .lefthook/pre-commit/x.sh .overcommit.yml
  .travis.yml .forgejo/workflows/x.yml .gitea/workflows/x.yml .gitlab/ci/x.yml .buildkite/x.yml .drone.yml .woodpecker/x.yml .cirrus.yml
  .agents/skills/x/SKILL.md .opencode/plugin/x.ts opencode.json .kiro/hooks/x .windsurf/x .roo/mcp.json CLAUDE.md a/claude.md .cursorrules .github/copilot-instructions.md .vimrc
  .nvimrc .lvimrc .dir-locals-2.el .lfsconfig .jj/repo/config.toml .pijul/config _darcs/prefs/defaults .pryrc .irbrc .helix/config.toml .fleet/run.json
  GEMINI.md CLAUDE.local.md .clinerules/x.md .continue/x.yaml .junie/guidelines.md .aider.conf.yml .github/hooks/x.json .github/prompts/x.md`.split(
    /\s+/,
  ),
)('%s waits for a yes, since it runs by itself', (path) => {
  expect(askedOf([path])).toEqual([path]);
});

test('files that only look like those do not wait', () => {
  expect(askedOf(['AGENTS.md', 'hg/hgrc', 'docs/lefthook.md', 'rust-toolchain/x', 'kiro/x'])).toEqual([]);
});

test('files of a person that the work leaves as they are do not wait', () => {
  expect(askedOf(['src/a.ts'], { before: ['.envrc', '.github/workflows/ci.yml'] })).toEqual([]);
});

test.each([
  'out -> /etc/passwd',
  'out -> ..',
  'out -> ../x',
  'a/b/out -> ../../../x',
  'out -> a/../../x',
  'out -> folder/../x',
  'hooks -> .git/hooks',
  'a/config -> ../.GIT/config',
  'out -> .//../x',
])('a link that leaves the repository, or may, is refused: %s', (link) => {
  expect(askedOf([link], { rules: { allow: ['Land(*)'] } })).toContain(`The link ${link.split(' -> ')[0]} points to`);
});

test('a link does not hide behind another whose name looks the same', () => {
  expect(askedOf(['l\ufffd -> /etc', 'l\ufffd -> README.md'])).toContain('points to /etc');
});

test.each(['..\0x', '.git\0x', 'README.md\n', 'a\u007f'])(
  'a link with a control character is refused: %j',
  (target) => {
    expect(askedOf([`up -> ${target}`])).toContain('has control characters');
  },
);

test.each(['in -> src/a.ts', 'src/in -> ../README.md', 'a/b/in -> ../../src', 'in -> .', 'in -> ./src/'])(
  'a link within the repository lands: %s',
  (link) => {
    expect(askedOf([link], { before: ['src/a.ts', 'README.md'] })).toEqual([]);
  },
);

test('a link of a person that leaves the repository is no fault of the work', () => {
  expect(askedOf(['a.ts'], { before: ['out -> /etc'] })).toEqual([]);
});

test('a file that runs by itself through a link waits, whichever of the two is new', () => {
  expect(askedOf(['.vscode -> conf'])).toEqual(['.vscode']);
  expect(askedOf(['.github -> conf'], { before: ['conf/workflows/ci.yml'] })).toEqual(['.github']);
  expect(askedOf(['conf/workflows/ci.yml'], { before: ['.github -> conf'] })).toEqual(['conf/workflows/ci.yml']);
  expect(askedOf(['x.sh'], { before: ['.envrc -> x.sh'] })).toEqual(['x.sh']);
});

test.each([
  [['.github -> a', 'a -> b', 'b/workflows/x.yml'], []],
  [['b/workflows/x.yml'], ['.github -> a', 'a -> b']],
  [['a -> b'], ['.github -> a', 'b/workflows/x.yml']],
  [['.github -> d', 'd/workflows -> ../e', 'e/x.yml'], []],
  [['.github -> .', 'workflows -> .', 'x.yml'], []],
  [['.github -> B', 'b/workflows/x.yml'], []],
])('a file that runs by itself through links to links waits: %p', (files, before) => {
  expect(askedOf(files, { before })).not.toEqual([]);
});

test('links that lead to each other end, and too many of them are refused', () => {
  expect(askedOf(['a -> b', 'b -> a', 'c/d -> ..', 'c/e -> d'], { before: ['src/x.ts'] })).toEqual([]);
  const links = Array.from({ length: 12 }, (_, index) => `l${index} -> .`);
  expect(askedOf(links)).toContain('too many ways');
});

test('a proposal must leave out what a person would have to be asked about', () => {
  expect(complainOfLanding(defaultRules, ['acceptance/a.py', '.envrc'])).toEqual([
    'files: `Land(.envrc)` has a person decide on ".envrc"; leave it out, since a session can add it',
  ]);
});

test('a denied file is refused, whatever else there is', () => {
  expect(askedOf(['.envrc', 'a.pem'], { rules: { deny: ['Land(*.pem)'] } })).toBe(
    'a.pem must not land: `deny Land(*.pem)` of the project.',
  );
});

const bare = ['docs/HEAD', 'docs/objects/k', 'docs/refs/heads/k', 'docs/config'];

test.each([
  [bare, []],
  [['a/b/head', 'a/b/ObJects/k', 'A/b/refs/k'], []],
  [['docs/HEAD', 'docs/commondir'], []],
  [['docs/HE\u200cAD', 'docs/commondir'], []],
  [['docs/objects -> ../src', 'docs/refs/k', 'docs/HEAD'], []],
  [['docs/config'], bare.slice(0, 3)],
  [['HEAD', 'objects/k', 'refs/k'], []],
])('a folder that git takes for a repository never lands: %p', (files, before) => {
  expect(askedOf(files, { before, rules: { allow: ['Land(*)'] } })).toContain('a repository of its own');
  if (files.some((file) => file.includes(' -> '))) return;
  expect(complainOfLanding([], files, before)).toEqual([expect.stringContaining('a repository of its own')]);
});

test.each([
  [['src/a.ts'], bare],
  [['docs/HEAD', 'docs/objects/k'], []],
  [['docs/HEAD/x', 'docs/objects/k', 'docs/refs/k'], []],
  [['a/HEAD', 'b/objects/k', 'c/refs/k', 'commondir'], []],
  [['a/HEAD', 'a/myobjects/k', 'a/refs2'], []],
])('a folder that git takes for none lands, and so does work beside one of a person: %p', (files, before) => {
  expect(askedOf(files, { before })).toEqual([]);
  expect(complainOfLanding([], files, before)).toEqual([]);
});
