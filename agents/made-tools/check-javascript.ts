import { type AnyNode, type Node, type Options, type Program, parse } from 'acorn';
import type { Refusal } from '../../domain/tool/refusal.ts';
import { findFreeNames } from './free-names.ts';
import { walkJavaScript } from './walk-javascript.ts';

const options: Options = { ecmaVersion: 2023, sourceType: 'module', locations: true };

/** What is wrong with a made tool in JavaScript and its tests, judged by their syntax trees. They are only parsed, never run or compiled. */
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
    refusals.push({ part: 'code', reason: 'expected code that can be checked, got code that is nested too deeply' });
  }
  return refusals.slice(0, 20);
}

type Refuse = (node: Node, reason: string) => void;

function parsed(part: 'code' | 'tests', text: string, refusals: Refusal[]): Program | undefined {
  try {
    return parse(text, options);
  } catch (error) {
    const { loc, message } = error as { loc?: { line: number }; message: string };
    refusals.push({ part, line: loc?.line ?? 1, reason: `expected a JavaScript module: ${message}` });
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

  const textOf = createConstants();
  walkJavaScript(tree, (node) => {
    const reason = complaintOf(node, imports, textOf);
    if (reason !== undefined) refuse(node, reason);
  });
  for (const { node, parent } of findFreeNames(tree)) {
    const reason = complaintOfFreeName(node.name, parent);
    if (reason !== undefined) refuse(node, reason);
  }
}

function complaintOf(node: AnyNode, imports: string[], textOf: (node: AnyNode) => string | undefined) {
  switch (node.type) {
    case 'ImportDeclaration': {
      const from = String(node.source.value);
      const isAllowed = imports.includes(from.replace(/^node:/, ''));
      return isAllowed
        ? undefined
        : `expected imports of ${imports.map((one) => `node:${one}`).join(', ')} only, got ${from}`;
    }
    case 'ImportExpression':
      return 'expected no dynamic evaluation, got import()';
    case 'MetaProperty':
      return 'expected no import.meta or new.target';
    case 'MemberExpression':
      return complaintOfProperty(node.property, node.computed);
    case 'MethodDefinition':
      return node.kind === 'constructor' ? undefined : complaintOfProperty(node.key, node.computed);
    case 'Property':
    case 'PropertyDefinition':
      return complaintOfProperty(node.key, node.computed);
    case 'Literal':
    case 'TemplateLiteral':
    case 'BinaryExpression': {
      const text = textOf(node);
      return text !== undefined && isRefused(text) ? `${noInternals}, got "${text}"` : undefined;
    }
    default:
      return undefined;
  }
}

const noInternals = "expected no access to JavaScript's internals";

/** For a computed key, the constants in the expression are checked instead. */
function complaintOfProperty(key: AnyNode, computed: boolean): string | undefined {
  const isName = !computed && key.type === 'Identifier';
  return isName && isRefused(key.name) ? `${noInternals}, got .${key.name}` : undefined;
}

function isRefused(property: string): boolean {
  return refusedProperties.has(property) || property.startsWith('__');
}

function complaintOfFreeName(name: string, parent: AnyNode | undefined): string | undefined {
  if (!allowedGlobals.has(name)) {
    return `expected names that the tool defines or imports, or built-ins that only compute (Math, JSON, Map ...); got ${name}`;
  }
  const property = parent?.type === 'MemberExpression' && !parent.computed ? parent.property : undefined;
  const isLogging = property?.type === 'Identifier' && allowedOfConsole.has(property.name);
  return name !== 'console' || isLogging
    ? undefined
    : `expected only ${[...allowedOfConsole].map((one) => `console.${one}`).join(', ')}`;
}

/** Longer than the name of any refused property. */
const maxConstantLength = 64;

/** Returns a function that evaluates an expression of constants to its text; undefined for any other expression, and for long text. */
function createConstants() {
  const known = new Map<AnyNode, string | undefined>();
  return textOf;

  function textOf(node: AnyNode): string | undefined {
    if (!known.has(node)) {
      const parts = partsOf(node);
      const text = parts.includes(undefined) ? undefined : parts.join('');
      known.set(node, text !== undefined && text.length <= maxConstantLength ? text : undefined);
    }
    return known.get(node);
  }

  function partsOf(node: AnyNode): Array<string | undefined> {
    switch (node.type) {
      case 'Literal':
        return [typeof node.value === 'string' ? node.value : node.raw];
      case 'TemplateLiteral':
        return node.quasis.flatMap(({ value }, index) => {
          const inner = node.expressions[index];
          return [value.cooked ?? undefined, ...(inner ? [textOf(inner)] : [])];
        });
      case 'BinaryExpression':
        return node.operator === '+' ? [textOf(node.left), textOf(node.right)] : [undefined];
      default:
        return [undefined];
    }
  }
}

function checkTests(tree: Program, name: string, refuse: Refuse): void {
  let called = false;
  let asserted = false;
  walkJavaScript(tree, (node) => {
    if (node.type !== 'CallExpression') return;
    const { callee } = node;
    if (callee.type === 'Identifier' && callee.name === name) called = true;
    const root = callee.type === 'MemberExpression' ? callee.object : callee;
    if (root.type === 'Identifier' && /assert|^(ok|equal|deepEqual|strictEqual|throws|rejects)/.test(root.name))
      asserted = true;
  });
  if (!called) {
    refuse(tree, `expected a call of ${name}, found none; start with \`import { ${name} } from './tool.mjs'\``);
  }
  if (!asserted) refuse(tree, 'expected an assertion of node:assert, found none');
}

/** Globals that a made tool in JavaScript may use without an import: only those that compute. */
const allowedGlobals: ReadonlySet<string> = new Set(
  (
    'undefined NaN Infinity arguments Object Array String Number Boolean Symbol BigInt Math JSON Date RegExp Map Set WeakMap WeakSet Promise ' +
    'Iterator Intl Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ArrayBuffer SharedArrayBuffer DataView ' +
    'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array ' +
    'parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape atob btoa structuredClone ' +
    'Buffer TextEncoder TextDecoder URL URLSearchParams console setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate ' +
    'queueMicrotask performance'
  ).split(' '),
);

/** Console methods that it may call; the console object also exposes the streams of its process. */
const allowedOfConsole: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug', 'table']);

/** Properties that lead from any value to something that evaluates text as code. */
const refusedProperties: ReadonlySet<string> = new Set(['constructor', 'prototype', 'caller', 'callee']);
