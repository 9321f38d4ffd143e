import { z } from 'zod';

/** Languages for made tools. */
export const madeToolLanguages = ['python', 'javascript'] as const;

export type MadeToolLanguage = (typeof madeToolLanguages)[number];

const maxCodeLength = 50_000;

/** A tool that an agent or a person made: the input of `generate_tool` and the contents of an exported folder. */
export const madeToolSchema = z.strictObject({
  name: z.string(),
  description: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe('What the tool does and when to use it; other agents read this.'),
  language: z.enum(madeToolLanguages),
  parameters: z
    .record(z.string(), z.unknown())
    .describe(
      'A JSON Schema of type "object", each parameter with a description; no "pattern", "$ref", "allOf", "not" or "if".',
    ),
  code: z
    .string()
    .min(1)
    .max(maxCodeLength)
    .describe(
      'Imports of standard library modules that compute (math, re, json, datetime ...), and one function with the name of the tool. Python: `def NAME(a, b=1):`, called with arguments by name. JavaScript: `export function NAME({ a, b = 1 }) {`, called with one object. It returns a JSON value.',
    ),
  tests: z
    .string()
    .min(1)
    .max(maxCodeLength)
    .describe(
      'Python: pytest functions with asserts, after `from tool import NAME`. JavaScript: node:test with node:assert, after `import { NAME } from "./tool.mjs"`.',
    ),
});

export type MadeTool = z.output<typeof madeToolSchema>;

/** The file names of a made tool, both where it runs and where it is exported. */
export function fileNamesOf(language: MadeToolLanguage): { code: string; tests: string } {
  return language === 'python' ? { code: 'tool.py', tests: 'tests.py' } : { code: 'tool.mjs', tests: 'tests.mjs' };
}

/** One version of a made tool. */
export interface MadeToolVersion extends MadeTool {
  id: string;
  /** From 1 for each name; 0 for a tool from an agent's own folder. */
  version: number;
  /** The run that made it, `agent <name>`, or `person`. */
  author: string;
  uses: number;
  failures: number;
  lastError: string | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** A made tool in its present version; its usage counts are those of all versions. */
export interface ListedMadeTool extends MadeToolVersion {
  /** Whether it is offered to runs. */
  enabled: boolean;
}
