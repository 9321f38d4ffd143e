import type { MadeTool } from '../../../domain/tool/made-tool.ts';

/** A Python tool that passes validation. */
export const slugify: MadeTool = {
  name: 'slugify',
  description: 'Makes a slug of a title.',
  language: 'python',
  parameters: {
    type: 'object',
    properties: { title: { type: 'string', description: 'Any text.' }, limit: { type: 'integer', minimum: 1 } },
    required: ['title'],
    additionalProperties: false,
  },
  code: 'import re\n\ndef slugify(title, limit=40):\n    words = re.findall("[a-z0-9]+", title.lower())\n    return "-".join(words)[:limit]\n',
  tests: 'from tool import slugify\n\ndef test_words():\n    assert slugify("Hello, World") == "hello-world"\n',
};

/** A JavaScript tool that passes validation. */
export const addUp: MadeTool = {
  name: 'add_up',
  description: 'Adds numbers.',
  language: 'javascript',
  parameters: {
    type: 'object',
    properties: { numbers: { type: 'array', items: { type: 'number' } } },
    required: ['numbers'],
  },
  code: 'export function add_up({ numbers }) {\n  console.log("adding");\n  return { sum: numbers.reduce((sum, one) => sum + one, 0) };\n}\n',
  tests:
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add_up } from './tool.mjs';\n\ntest('adds', () => assert.equal(add_up({ numbers: [1, 2] }).sum, 3));\n",
};
