import { expect, test } from '@jest/globals';
import { fileOf, importedNames } from '../../../../../domain/verification/spoil/helpers/imported-names.ts';

const paths = ['tests/helpers.py', 'tests/kit/__init__.py', 'test/helpers.ts', 'test/kit/index.js', 'lib/equal.py'];

/** What a check takes by name, and from which of the files. */
const taken = (path: string, content: string) =>
  importedNames(path, content).map((one) => [one.name, one.local, fileOf(one, paths)]);

test.each([
  ['tests/test_sums.py', 'from tests.helpers import equal, above as over', 'tests/helpers.py'],
  ['tests/test_sums.py', 'from .helpers import (\n    equal,\n    above as over,  # more\n)', 'tests/helpers.py'],
  ['tests/unit/test_sums.py', 'from ..helpers import equal, above as over', 'tests/helpers.py'],
  ['tests/test_sums.py', 'from kit import equal, above as over', 'tests/kit/__init__.py'],
  ['test/sums.test.js', "import { equal, above as over } from './helpers.js';", 'test/helpers.ts'],
  ['test/unit/sums.test.ts', "import {\n  equal,\n  above as over,\n} from '../helpers';", 'test/helpers.ts'],
  ['test/sums.test.js', "const { equal, above: over } = require('./kit');", 'test/kit/index.js'],
])('%s takes two functions: %s', (path, content, from) => {
  expect(taken(path, content)).toEqual([
    ['equal', 'equal', from],
    ['above', 'over', from],
  ]);
});

test('what is no file of the repository, is said in a remark or could be either of two files is none', () => {
  expect(taken('tests/test_sums.py', 'from sums import add\n# from tests.helpers import equal')).toEqual([
    ['add', 'add', undefined],
  ]);
  expect(
    importedNames('test/a.test.js', "import { test } from 'node:test';\n// import { a } from './helpers.js';"),
  ).toEqual([]);
  const [helper] = importedNames('test/a.test.js', "import { a } from './helpers.js';");
  expect(helper && fileOf(helper, ['test/helpers.js', 'test/helpers.ts'])).toBeUndefined();
  const [module] = importedNames('tests/test_a.py', 'from helpers import a');
  expect(module && fileOf(module, ['helpers.py', 'tests/helpers.py'])).toBeUndefined();
});
