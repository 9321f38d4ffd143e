import type { Refusal } from '../../domain/tool/refusal.ts';
import { isToolName } from '../tools/tool-declarations.ts';

/** Words that are not allowed as a function name in Python or JavaScript. */
const reserved = new Set(
  (
    'and as assert async await break case class const continue debugger def default del delete do elif else enum except export extends ' +
    'false finally for from function global if implements import in instanceof interface is lambda let match new nonlocal not null or package ' +
    'pass private protected public raise return static super switch this throw true try type typeof var void while with yield arguments eval'
  ).split(' '),
);

/** What is wrong with the name of a made tool. Whether another made tool has it is for the store to check. */
export function checkName(name: string): Refusal[] {
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(name) || name.includes('__')) {
    const reason = `expected 1 to 48 of a-z, 0-9 and "_", starting with a letter and without "__", got ${JSON.stringify(name.slice(0, 80))}`;
    return [{ part: 'name', reason }];
  }
  if (reserved.has(name)) return [{ part: 'name', reason: `"${name}" is a reserved word; choose another name` }];
  if (isToolName(name)) return [{ part: 'name', reason: `"${name}" is a built-in tool; choose another name` }];
  return [];
}
