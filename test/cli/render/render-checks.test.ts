import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { renderChecks } from '../../../cli/render/render-checks.ts';

test('a sealed check in which no value can be changed is marked', () => {
  const sealed = (content: string) => ({
    requirement: 'It doubles.',
    command: 'python3 check.py',
    files: [{ path: 'check.py', content }],
  });
  const checks = {
    steps: [{ description: 'It runs.', command: 'true' }],
    protectedPaths: [],
    sealed: [sealed('import f\nassert f.f(2) == 4\n'), sealed('import f\nfor n in f.all(): n.check()\n')],
  };
  expect(renderChecks(checks, picocolors.createColors(false))).toBe(`It runs.
  $ true
Sealed: It doubles.
  $ python3 check.py
  check.py
    import f
    assert f.f(2) == 4
Sealed: It doubles.
  No value is written out beside a result here, so work that reads this check could answer it. Write one: \`assert f(2) == 4\`, \`[ "$(./f 2)" = 4 ]\`.
  $ python3 check.py
  check.py
    import f
    for n in f.all(): n.check()`);
});
