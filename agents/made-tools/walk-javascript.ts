import type { AnyNode, Node } from 'acorn';

/** Visits every node of a syntax tree, passing its ancestors, the topmost first. */
export function walkJavaScript(
  node: Node,
  visit: (node: AnyNode, above: readonly AnyNode[]) => void,
  above: AnyNode[] = [],
): void {
  visit(node as AnyNode, above);
  above.push(node as AnyNode);
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (isNode(inner)) walkJavaScript(inner, visit, above);
    }
  }
  above.pop();
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
