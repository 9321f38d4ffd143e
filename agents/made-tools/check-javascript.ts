import { type Node, type Options, type Program, parse } from 'acorn';
import { simple } from 'acorn-walk';
import type { Refusal } from './refusal.ts';

const options: Options = { ecmaVersion: 2023, sourceType: 'module', locations: true };

/** Names that evaluate text, or reach what a check of the text cannot see. */
const refusedNames = new Set([
  'eval',
  'Function',
  'require',
  'process',
  'globalThis',
  'global',
  'WebAssembly',
  'Reflect',
  'Proxy',
  'AsyncFunction',
  'GeneratorFunction',
]);

const refusedProperties = new Set(['constructor', 'prototype', '__proto__', '__defineGetter__', '__lookupGetter__']);

/**
 * What a look at the syntax tree of a made tool in JavaScript, and of its tests, finds wrong. They are parsed; nothing of them is run or
 * compiled.
 */
export function checkJavaScript({
  name,
  code,
  tests,
  imports,
}: {
  name: string;
  code: string;
  tests: string;
  imports: string[];
}): Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (part: 'code' | 'tests', node: Node, reason: string) =>
    refusals.push({ part, line: node.loc?.start.line ?? 1, reason });
  try {
    const tree = parsed('code', code, refusals);
    if (tree) checkCode(tree, name, imports, (node, reason) => refuse('code', node, reason));
    const testTree = parsed('tests', tests, refusals);
    if (testTree) checkTests(testTree, name, (node, reason) => refuse('tests', node, reason));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refusals.push({ part: 'code', reason: 'expected code that can be looked at, got some that is nested too deeply' });
  }
  return refusals.slice(0, 20);
}

type Refuse = (node: Node, reason: string) => void;

function parsed(part: 'code' | 'tests', text: string, refusals: Refusal[]): Program | undefined {
  try {
    return parse(text, options);
  } catch (error) {
    const { loc, message } = error as { loc?: { line: number }; message: string };
    refusals.push({ part, line: loc?.line ?? 1, reason: `it is no JavaScript module: ${message}` });
    return undefined;
  }
}

function checkCode(tree: Program, name: string, imports: string[], refuse: Refuse): void {
  let functions = 0;
  for (const node of tree.body) {
    if (node.type === 'ImportDeclaration') continue;
    const exported = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined;
    if (exported?.type === 'FunctionDeclaration' && exported.id.name === name && !exported.generator && !functions) {
      functions += 1;
      if (exported.params.length > 1) {
        refuse(exported, `expected one parameter, an object with the arguments, got ${exported.params.length}`);
      }
      continue;
    }
    refuse(
      node,
      `expected imports and the one \`export function ${name}\`, got ${node.type}; move it into the function`,
    );
  }
  if (!functions) refuse(tree, `expected \`export function ${name}({ ... })\`, found none`);

  simple(tree, {
    ImportDeclaration(node) {
      const from = String(node.source.value);
      if (imports.includes(from.replace(/^node:/, ''))) return;
      refuse(node, `expected imports of ${imports.map((one) => `node:${one}`).join(', ')} only, got ${from}`);
    },
    ImportExpression: (node) => refuse(node, 'expected no dynamic evaluation, got import()'),
    MetaProperty: (node) => refuse(node, 'expected no import.meta or new.target'),
    Identifier(node) {
      if (refusedNames.has(node.name)) refuse(node, `expected no dynamic evaluation, got ${node.name}`);
    },
    MemberExpression(node) {
      const { property, computed } = node;
      const key =
        !computed && property.type === 'Identifier'
          ? property.name
          : property.type === 'Literal'
            ? String(property.value)
            : '';
      if (refusedProperties.has(key))
        refuse(node, `expected no properties of JavaScript's inner workings, got .${key}`);
    },
    ObjectPattern({ properties }) {
      for (const one of properties) {
        if (one.type === 'Property' && one.key.type === 'Identifier' && refusedProperties.has(one.key.name))
          refuse(one, `expected no properties of JavaScript's inner workings, got ${one.key.name}`);
      }
    },
    Literal(node) {
      if (typeof node.value === 'string' && refusedProperties.has(node.value))
        refuse(node, `expected no properties of JavaScript's inner workings, got "${node.value}"`);
    },
  });
}

function checkTests(tree: Program, name: string, refuse: Refuse): void {
  let called = false;
  let asserted = false;
  simple(tree, {
    CallExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === name) called = true;
      const root = callee.type === 'MemberExpression' ? callee.object : callee;
      if (root.type === 'Identifier' && /assert|^(ok|equal|deepEqual|strictEqual|throws|rejects)/.test(root.name))
        asserted = true;
    },
  });
  if (!called) {
    refuse(tree, `expected a call of ${name}, found none; begin with \`import { ${name} } from './tool.mjs'\``);
  }
  if (!asserted) refuse(tree, 'expected an assertion of node:assert, found none');
}
