import { z } from 'zod';
import { describeIssue } from '../describe-issue.ts';
import { foldersAbove } from '../folders-above.ts';
import { categories } from './statuses.ts';

const relativePath = z
  .string()
  .min(1)
  .refine((path) => path.split('/').every((part) => !['', '.', '..', '.git'].includes(part)), {
    error:
      'expected a path inside the repository as git writes it, without "..", ".", ".git" and without "/" at its ends or twice in a row',
  });

const file = z.object({
  path: relativePath,
  content: z.string(),
  executable: z.boolean().optional(),
});

const step = z.object({
  description: z.string().trim().min(1).describe('What this step checks.'),
  command: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('A bash command that runs in the workspace without network; exit code 0 passes.'),
  timeoutMs: z.number().int().min(1000).max(3_600_000).optional(),
});

const sealedCheck = z.object({
  requirement: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .describe(
      'A sentence of the description: all that the agents read if the check fails. It must not give the check away.',
    ),
  command: z.string().trim().min(1).describe('As in a step.'),
  files: z.array(file).default([]).describe('Put into the workspace for this check only.'),
  timeoutMs: z.number().int().min(1000).max(3_600_000).optional(),
});

export const proposedChecks = z.object({
  steps: z.array(step).min(1),
  files: z
    .array(file)
    .default([])
    .describe('Acceptance tests, written now, before the work; the agents that do the work cannot change them.'),
  protected: z.array(relativePath).default([]).describe('Existing files of the repository to protect in the same way.'),
  sealed: z
    .array(sealedCheck)
    .default([])
    .describe(
      'Checks that the agents that do the work never see: other values and cases than those of the steps, so that work that only answers what the steps ask does not pass.',
    ),
});

/** A feature's verification as an agent proposes it, with the content of its files. */
export type ProposedChecks = z.output<typeof proposedChecks>;

/** A feature as it is proposed. */
export const featureSchema = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'expected kebab-case, e.g. "monthly-report"' })
    .max(60)
    .describe('Unique, in kebab-case.'),
  description: z.string().trim().min(1).describe('What the feature does for its user, and what counts as done.'),
  category: z.enum(categories),
  priority: z.number().int().min(1).max(10).describe('10 is done first.'),
  dependencies: z
    .array(z.string())
    .overwrite((names) => [...new Set(names)])
    .default([])
    .describe('Names of features that must pass first.'),
  verification: proposedChecks,
});

/** A feature's verification as it is added to a plan: its check files exist in the repository, or are sealed. */
export const addedChecks = proposedChecks
  .omit({ files: true })
  .extend({
    protected: z
      .array(relativePath)
      .default([])
      .describe('Check files that are in the repository already; work that changes one does not pass.'),
  })
  .refine(({ steps, sealed }) => steps.some(({ command }) => command) || sealed.length > 0, {
    error: 'expected at least one step with a command, or a sealed check',
  });

/** A feature's verification as a person changes it: its protected files exist, and are named by their paths. */
export const checksSchema = z
  .strictObject({
    steps: z.array(step).min(1),
    protectedPaths: z.array(relativePath).default([]),
    sealed: z.array(sealedCheck).default([]),
    allowed: z.array(relativePath).optional(),
  })
  .refine(({ steps, sealed }) => steps.some(({ command }) => command) || sealed.length > 0, {
    error: 'expected at least one step with a command, or a sealed check',
  })
  .refine(({ protectedPaths, allowed = [] }) => !allowed.some((path) => protectedPaths.includes(path)), {
    path: ['allowed'],
    error: "expected files that are no checks; change a check in the project's folder",
  });

/** What an initializer proposes; also the format of a person's `features.json`. */
export const proposalSchema = z.object({
  summary: z.string().trim().min(1).describe('Two or three sentences: what will be built and how.'),
  features: z.array(featureSchema).min(1).max(200),
  setup_script: z
    .string()
    .trim()
    .min(1)
    .describe(
      'The content of init.sh, which prepares a fresh sandbox; it replaces an existing one. bash runs it in the workspace, with the network that sandboxes have, in every sandbox: keep it quick.',
    ),
  smoke_check: z
    .string()
    .trim()
    .min(1)
    .describe('One command that checks that what exists so far works; it must pass before any work.'),
  files: z
    .array(file)
    .default([])
    .describe('Other files of the first commit, e.g. .gitignore; no files that exist in the repository.'),
});

export type Proposal = z.output<typeof proposalSchema>;

/** A proposal as a person writes it: fields with a default may be left out. */
export type ProposalInput = z.input<typeof proposalSchema>;

export type ProposalCheck = { proposal: Proposal } | { complaints: string[] };

/** Checks a proposal's shape and consistency; each complaint says what was expected and what came. */
export function checkProposal(value: unknown): ProposalCheck {
  const parsed = proposalSchema.safeParse(value);
  if (!parsed.success) {
    const { issues } = parsed.error;
    return { complaints: issues.map((issue) => describeIssue(issue, value, placeOf(issue.path, value))) };
  }
  const complaints = [
    ...duplicateNames(parsed.data),
    ...unknownDependencies(parsed.data),
    ...cycles(parsed.data),
    ...missingCommands(parsed.data),
    ...conflictingFiles(parsed.data),
  ];
  return complaints.length ? { complaints } : { proposal: parsed.data };
}

/** The path of a field, within the feature's name if it has one: an index in a long list says little. */
function placeOf(path: PropertyKey[], proposed: unknown): string {
  const [list, index, ...rest] = path;
  const place = path.map(String).join('.') || 'the proposal';
  if (list !== 'features' || typeof index !== 'number') return place;
  const { name } = (proposed as { features: Array<{ name?: unknown } | null> }).features[index] ?? {};
  return typeof name === 'string' && rest.length ? `feature "${name}", ${rest.map(String).join('.')}` : place;
}

function duplicateNames({ features }: Proposal): string[] {
  const names = features.map((feature) => feature.name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => `features: names must be unique; "${name}" is used more than once`);
}

function unknownDependencies({ features }: Proposal): string[] {
  const names = new Set(features.map((feature) => feature.name));
  return features.flatMap((feature) =>
    feature.dependencies
      .filter((dependency) => !names.has(dependency))
      .map((dependency) => `feature "${feature.name}" depends on "${dependency}", which is not among the features`),
  );
}

function cycles({ features }: Proposal): string[] {
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  const done = new Set<string>();
  const walk = (name: string, path: string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const dependency of byName.get(name)?.dependencies ?? []) {
      const cycle = walk(dependency, [...path, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const { name } of features) {
    const cycle = walk(name, []);
    if (cycle) return [`features: the dependencies form a cycle: ${cycle.join(' -> ')}`];
  }
  return [];
}

function missingCommands({ features }: Proposal): string[] {
  return features
    .filter((feature) => !feature.verification.steps.some((step) => step.command))
    .map(
      (feature) =>
        `feature "${feature.name}" has no verification step with a command; at least one step needs a command`,
    );
}

function conflictingFiles({ features, files }: Proposal): string[] {
  const contents = new Map<string, string>();
  const complaints: string[] = [];
  for (const { path, content } of [...files, ...features.flatMap((feature) => feature.verification.files)]) {
    const earlier = contents.get(path);
    if (path === 'init.sh') complaints.push('files: init.sh comes from setup_script; leave it out of the files');
    else if (earlier !== undefined && earlier !== content)
      complaints.push(`files: "${path}" is given twice with different content`);
    contents.set(path, content);
  }
  const paths = new Set([...contents.keys(), 'init.sh']);
  for (const path of paths) {
    const file = foldersAbove(path).find((folder) => paths.has(folder));
    if (file !== undefined)
      complaints.push(`files: "${file}" is a file, so "${path}" cannot be in a folder of that name`);
  }
  return complaints;
}
