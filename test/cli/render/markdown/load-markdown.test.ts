import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { loadMarkdown } from '../../../../cli/render/markdown/load-markdown.ts';

const coloured = await loadMarkdown(picocolors.createColors(true));
const plain = await loadMarkdown(picocolors.createColors(false));

const text = `# Trees for shade

Ash and **hornbeam** grow in \`half shade\`, and a [list](https://example.org/trees) names more of them than anybody has room for in a garden.

- one
- two, which is so long that it does not fit into a single line of a narrow terminal
  1. first
  2. second
- [x] done

> A quotation that is also too long for one line of a narrow terminal.

| tree | height | what it needs |
|---|---:|---|
| ash | 40 m | deep soil, and water for its first years in the garden |
| box | 4 m | nothing |

\`\`\`ts
const answer = 'forty-two'; // a comment that makes this line longer than forty columns
	return answer;
\`\`\`

---

The end.
`;

test('a page at 40 columns', () => {
  expect(plain.render(text, 40)).toEqual([
    '# Trees for shade',
    '',
    'Ash and hornbeam grow in `half shade`,',
    'and a list (https://example.org/trees)',
    'names more of them than anybody has room',
    'for in a garden.',
    '',
    '• one',
    '• two, which is so long that it does not',
    '  fit into a single line of a narrow',
    '  terminal',
    '  1. first',
    '  2. second',
    '[x] done',
    '',
    '│ A quotation that is also too long for',
    '│ one line of a narrow terminal.',
    '',
    'tree  height  what it needs',
    '────  ──────  ──────────────────────────',
    'ash     40 m  deep soil, and water for',
    '              its first years in the',
    '              garden',
    'box      4 m  nothing',
    '',
    '```ts',
    "const answer = 'forty-two'; // a comment",
    ' that makes this line longer than forty ',
    'columns',
    '    return answer;',
    '```',
    '',
    '────────────────────────────────────────',
    '',
    'The end.',
  ]);
});

test.each([12, 40, 80, 200])('no line is wider than a terminal of %d columns, and no word is lost', (width) => {
  for (const markdown of [coloured, plain]) {
    const lines = markdown.render(text, width);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    const words = stripVTControlCharacters(lines.join('')).replace(/[\s│]/g, '');
    for (const word of ['hornbeam', 'https://example.org/trees', 'narrowterminal.', 'forty-two'])
      expect(words).toContain(word);
  }
});

test('at 200 columns a paragraph and a row are one line', () => {
  const lines = plain.render(text, 200);
  expect(lines).toContain('• two, which is so long that it does not fit into a single line of a narrow terminal');
  expect(lines).toContain('ash     40 m  deep soil, and water for its first years in the garden');
});

test('a table that has no room becomes a list of its cells', () => {
  expect(
    plain.render('| one | two | three |\n|---|---|---|\n| a long cell | another cell | and a third |\n', 22),
  ).toEqual(['one: a long cell', 'two: another cell', 'three: and a third']);
});

test('code is coloured by its language, line by line', () => {
  const lines = coloured.render('```js\nconst a = `one\ntwo`;\n```', 40);
  expect(lines[1]).toBe('\u001b[35mconst\u001b[39m a = \u001b[32m`one\u001b[39m');
  expect(lines[2]).toBe('\u001b[32mtwo`\u001b[39m;');
  expect(coloured.render('```nonsense\nconst a;\n```', 40)[1]).toBe('const a;');
});

test('a style goes on in the next line and ends with its words', () => {
  expect(coloured.render('**one two** three', 5)).toEqual([
    '\u001b[1mone\u001b[22m',
    '\u001b[1mtwo\u001b[22m',
    'three',
  ]);
});

test.each([
  'a\u001b[2Jb',
  '`a\u001b[2Jb`',
  '```\na\u001b[2Jb\n```',
  '```\u001b[2J\nb\n```',
  '[a\u001b[2Jb](https://example.org/\u001b[2J)',
  '![a\u001b[2Jb](x)',
  '<b>\u001b[2J</b>',
  '| a |\n|---|\n| \u001b[2J |',
  'a&#27;[2Jb and a&#x1b;[2Jb',
  '- \u009b2J\n- \u202eb',
])('what a model writes cannot control the terminal: %j', (written) => {
  const shown = plain.render(written, 40).join('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('what is written with special characters is shown as it is meant', () => {
  expect(plain.render('a &lt; b &amp;&amp; c, snake_case_name, 2 * 3 * 4, \\*star\\*, <div>', 80)).toEqual([
    'a < b && c, snake_case_name, 2 * 3 * 4, *star*, <div>',
  ]);
  expect(plain.render('one\ntwo<br>three', 80)).toEqual(['one', 'two', 'three']);
});

test('an answer that arrives in pieces is rendered as a whole one', () => {
  const whole = coloured.render(text, 60);
  for (const size of [1, 7, 50]) {
    const lines: string[] = [];
    let open = '';
    const show = (block: string) => {
      if (block.trim()) lines.push(...(lines.length ? [''] : []), ...coloured.render(block, 60));
    };
    for (let at = 0; at < text.length; at += size) {
      const { finished, open: rest } = coloured.split(open + text.slice(at, at + size));
      show(finished);
      open = rest;
    }
    show(open);
    expect(lines).toEqual(whole);
  }
});

test('a block stays open until another one begins', () => {
  expect(plain.split('One.\n\nTwo')).toEqual({ finished: '', open: 'One.\n\nTwo' });
  expect(plain.split('One.\n\nTwo.\n')).toEqual({ finished: 'One.\n\n', open: 'Two.\n' });
  expect(plain.split('```\na\n\n# b\n')).toEqual({ finished: '', open: '```\na\n\n# b\n' });
});
