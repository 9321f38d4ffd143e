import type { AnyNode, Identifier, Pattern, Program } from 'acorn';
import { walkJavaScript } from './walk-javascript.ts';

/** The range of source text in which a binding is visible. */
type Range = Pick<AnyNode, 'start' | 'end'>;

export interface FreeName {
  node: Identifier;
  parent: AnyNode | undefined;
}

/** The names that a module does not bind itself, and which therefore resolve to globals of the language or its host. */
export function findFreeNames(tree: Program): FreeName[] {
  const bound = new Map<string, Range[]>();
  const used: FreeName[] = [];
  const bind = (range: Range, names: string[]) => {
    for (const name of names) {
      const ranges = bound.get(name);
      if (ranges) ranges.push(range);
      else bound.set(name, [range]);
    }
  };
  walkJavaScript(tree, (node, above) => {
    const parent = above.at(-1);
    switch (node.type) {
      case 'Identifier':
        if (!isLabelOrKey(node, parent)) used.push({ node, parent });
        break;
      case 'ImportSpecifier':
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
        bind(tree, [node.local.name]);
        break;
      case 'VariableDeclaration':
        bind(
          node.kind === 'var' ? functionAround(above, tree) : blockAround(above, tree),
          node.declarations.flatMap(({ id }) => namesOf(id)),
        );
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        bind(node, node.params.flatMap(namesOf));
        if (node.id) bind(node.type === 'FunctionDeclaration' ? blockAround(above, tree) : node, [node.id.name]);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.id) bind(node.type === 'ClassDeclaration' ? blockAround(above, tree) : node, [node.id.name]);
        break;
      case 'CatchClause':
        if (node.param) bind(node, namesOf(node.param));
        break;
    }
  });
  return used.filter(
    ({ node: { name, start } }) => !bound.get(name)?.some((one) => one.start <= start && start < one.end),
  );
}

/** Identifiers that do not refer to a variable. */
function isLabelOrKey(node: Identifier, parent: AnyNode | undefined): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.property === node && !parent.computed;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.key === node && !parent.computed;
    case 'ImportSpecifier':
      return parent.local !== node;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return parent.label === node;
    default:
      return parent?.type === 'MetaProperty';
  }
}

/** The scope of a `var`: for a function only its body, since the default values of its parameters do not see it. */
function functionAround(above: readonly AnyNode[], tree: Program): Range {
  const found = above.findLast(({ type }) => isFunction(type) || type === 'StaticBlock');
  return found && 'body' in found && isFunction(found.type) ? (found.body as Range) : (found ?? tree);
}

function blockAround(above: readonly AnyNode[], tree: Program): Range {
  const found = above.findLast(({ type }) =>
    /^(BlockStatement|StaticBlock|SwitchStatement|For(In|Of)?Statement)$/.test(type),
  );
  if (found?.type !== 'SwitchStatement') return found ?? tree;
  return { start: found.cases[0]?.start ?? found.end, end: found.end }; // the expression after `switch` is outside the scope
}

function isFunction(type: string): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
}

function namesOf(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => namesOf(one.type === 'RestElement' ? one.argument : one.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => (one ? namesOf(one) : []));
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    default:
      return []; // assignment to a property
  }
}
