import { applyEdits, type Span } from './source-text.ts';

/** Code given to an interpreter in a command. */
const inlineCode =
  /(?<![\w./-])(?:(python3?)\s+-c|node\s+(?:--input-type=\w+\s+)?-e)\s+(?:'([^']*)'|"((?:\\.|[^"\\])*)")/g;

/**
 * A step's command in which code that ends with an assertion, as in `python3 -c "...; assert ..."`, fails then, so that the step fails unless the code under test ended
 * the interpreter before. Undefined if there is none, or its failure would not have to be the step's.
 */
export function spoilCommand(command: string, number: number): string | undefined {
  const edits = [...command.matchAll(inlineCode)].flatMap((call) => {
    const [whole, python, single, double = ''] = call;
    const place = { begin: call.index, end: call.index + whole.length };
    if (!decides(command, place) || !endsWithAssertion(single ?? double)) return [];
    const failing = python ? `\nassert ${number} == ${number + 1}` : `\n;throw ${number}`;
    return [{ begin: place.end - 1, end: place.end - 1, text: failing }];
  });
  return edits.length ? applyEdits(command, edits) : undefined;
}

/** Whether the last statement asserts: code whose last statement does something else may end the interpreter honestly. */
function endsWithAssertion(code: string): boolean {
  const statements = code.split(/[;\n]/).filter((statement) => statement.trim());
  return /\bassert\b/.test(statements.at(-1) ?? '');
}

/** Whether what stands at a place in a command is not negated, read for its output, piped on or allowed to fail. */
function decides(command: string, { begin, end }: Span): boolean {
  const before = command.slice(command.lastIndexOf('\n', begin) + 1, begin);
  return !/[!`]|\$\(|\b(if|while|until)\b|\|\|/.test(before) && !/^([^\n;&]|[<>]&)*\|/.test(command.slice(end));
}
