import { expect, test } from '@jest/globals';
import { spoilCommand } from '../../../../domain/project/spoil/spoil-command.ts';

test('code in a command that ends with an assertion fails after it', () => {
  expect(spoilCommand(`cd app && python3 -c "import sums; assert sums.add(2, 3) == 5"`, 7)).toBe(
    `cd app && python3 -c "import sums; assert sums.add(2, 3) == 5\nassert 7 == 8"`,
  );
  expect(spoilCommand(`node -e 'require("assert").equal(require("./sums")(2, 3), 5)' && echo well`, 7)).toBe(
    `node -e 'require("assert").equal(require("./sums")(2, 3), 5)\n;throw 7' && echo well`,
  );
});

test('code whose failure is not that of the step is left alone', () => {
  expect(spoilCommand('python3 -c "assert sums" 2>&1 >/dev/null', 7)).toContain('assert 7');
  for (const command of [
    'python3 -c "import sums; print(sums.add(2, 3))" | grep -qx 5',
    'test "$(python3 -c "import sums; assert sums.add; print(1)")" = 1',
    '! python3 -c "import sums; assert sums.add(1) == 2"',
    'python3 -c "import sums; assert sums.add(1) == 2" 2>&1 | grep -q Error',
    'if python3 -c "import sums; assert sums.add(1) == 2"; then exit 1; fi',
    'python3 -c "import sums; assert sums.add; sums.main()"',
    './python3 -c "assert 1"',
  ])
    expect([command, spoilCommand(command, 7)]).toEqual([command, undefined]);
});
