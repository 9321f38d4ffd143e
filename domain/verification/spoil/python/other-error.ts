import { type Draw, drawOne } from '../draw.ts';
import { type Edit, splitOutside } from '../source-text.ts';
import { type PythonSource, textOf } from './other-python-value.ts';

/** Common errors, each in a group with those that it is a kind of, or that errors are known to be a kind of as well. */
const groups = [
  ['TypeError'],
  ['ValueError', 'OSError', 'FileNotFoundError', 'PermissionError'],
  ['KeyError', 'IndexError', 'AttributeError'],
  ['RuntimeError', 'NotImplementedError', 'RecursionError'],
  ['ZeroDivisionError', 'OverflowError'],
  ['NameError'],
  ['EOFError'],
  ['BufferError'],
];
/** No kinds of each other, and errors of the work's own are none of them. */
const rare = ['EOFError', 'BufferError', 'RecursionError'];

/** Lets a test wait for another error than the one at a place. */
export function expectOtherError({ content, masked }: PythonSource, from: number, draw: Draw): Edit | undefined {
  const [expected] = splitOutside(masked, from, /,/);
  if (!expected) return undefined;
  const names = textOf(masked, expected)
    .split(/[^\w.]+/)
    .filter((name) => name !== '');
  const isCommon = names.every((name) => groups.flat().includes(name));
  const others = isCommon ? groups.filter((group) => !group.some((name) => names.includes(name))).flat() : rare;
  const unused = others.filter((name) => !content.includes(name));
  const name = drawOne(unused, draw);
  return name ? { ...expected, text: name } : undefined;
}
