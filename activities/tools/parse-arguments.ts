import { type ToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import { isNestedDeeper, maxNesting } from '../../domain/nesting.ts';
import { preview, storableText } from '../../domain/storable-text.ts';

/** Tools whose arguments contain file contents, which may have any character. */
const ofContents: ReadonlySet<ToolName> = new Set(['write_file', 'edit_file']);

/** A call's arguments as its tool takes them, or a complaint about them for the model. */
export function parseArguments(name: ToolName, text: string): { value: unknown } | { complaint: string } {
  const read = parseJson(name, text, ofContents.has(name) ? undefined : storable);
  if ('complaint' in read) return read;
  const { value } = read;
  const parsed = toolDeclarations[name].parameters.safeParse(value);
  // A proposal has its own checks, with better complaints.
  if (parsed.success || name === 'propose_project') return { value: parsed.success ? parsed.data : value };
  const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return { complaint: `The arguments of ${name} are invalid. ${complaints.join('; ')}` };
}

/** The JSON of a call's arguments, or a complaint about it for the model; no text is no arguments. */
export function parseJson(
  name: string,
  text: string,
  revive?: (name: string, value: unknown) => unknown,
): { value: unknown } | { complaint: string } {
  try {
    const value: unknown = JSON.parse(text || '{}', revive);
    if (!isNestedDeeper(value)) return { value };
    return { complaint: `The arguments of ${name} are nested more than ${maxNesting} levels deep. Give them flatter.` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    return { complaint: `The arguments of ${name} are not valid JSON: ${problem}. Got: ${preview(text)}` };
  }
}

/** Postgres, programs and searches accept no NUL, and a lone surrogate is not a character. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}
