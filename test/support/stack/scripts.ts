import type { ProposalInput } from '../../../domain/project/proposal.ts';
import type { Category } from '../../../domain/project/statuses.ts';
import type { ScriptInput } from '../../../testing/index.ts';

type Turn = ScriptInput['entries'][number]['turns'][number];

/** One tool call as a turn of its own. */
export function call(tool: string, toolArguments: Record<string, unknown> = {}): Turn {
  return { calls: [{ tool, arguments: toolArguments }] };
}

/** A command that succeeds if a sandbox has network, which its variables show without waiting for a connection to fail. */
export const hasNetwork = '[ -n "$HTTPS_PROXY" ]';

export interface SmallFeature {
  name: string;
  category?: Category;
  dependencies?: string[];
  /** What the agent does before it finishes; by default it writes `<name>.txt`. */
  work?: Turn[];
  /** The work by attempt, from 1; replaces `work`. */
  attempts?: Turn[][];
  /** Verifies the feature; by default it checks that `<name>.txt` holds the feature's name. */
  command?: string;
  files?: Array<{ path: string; content: string }>;
  planning?: Turn[];
}

/** A script for a project of small features, each of which is a text file that holds its name. */
export function smallProject(features: SmallFeature[]): ScriptInput {
  return {
    entries: [
      { role: 'initializer', turns: [call('propose_project', proposal(features))] },
      ...features.flatMap((feature) => [
        {
          role: 'planner',
          feature: feature.name,
          turns: [...(feature.planning ?? []), call('submit_plan', { steps: [`Write ${feature.name}.txt`] })],
        },
        ...workEntries(feature),
      ]),
    ],
  };
}

/** The proposal of such a project, which also serves as a person's `features.json`. */
export function proposal(features: SmallFeature[]): ProposalInput {
  return {
    summary: `${features.length} text files.`,
    setup_script: 'true',
    smoke_check: 'true',
    features: features.map((feature, index) => ({
      name: feature.name,
      description: `${feature.name}.txt holds "${feature.name}".`,
      category: feature.category ?? 'functional',
      priority: Math.max(1, 10 - index),
      dependencies: feature.dependencies ?? [],
      verification: {
        steps: [
          {
            description: 'The file is right.',
            command: feature.command ?? `grep -qx ${feature.name} ${feature.name}.txt`,
          },
        ],
        files: feature.files ?? [],
      },
    })),
  };
}

export function writes(feature: string): Turn {
  return call('write_file', { path: `${feature}.txt`, content: `${feature}\n` });
}

export const finishes: Turn = call('finish', { summary: 'Done.', evidence: 'I looked at it.' });

function workEntries(feature: SmallFeature): ScriptInput['entries'] {
  const role = feature.category === 'testing' || feature.category === 'documentation' ? feature.category : 'code';
  if (feature.attempts) {
    return feature.attempts.map((turns, index) => ({
      role,
      feature: feature.name,
      attempt: index + 1,
      turns: [...turns, finishes],
    }));
  }
  return [{ role, feature: feature.name, turns: [...(feature.work ?? [writes(feature.name)]), finishes] }];
}
