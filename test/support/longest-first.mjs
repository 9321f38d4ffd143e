import TestSequencer from '@jest/test-sequencer';

/** Those that take minutes, longest first: the last file to end is then a short one, and both workers have something to do until then. */
const longest = [
  'example',
  'control-at-kills',
  'control',
  'docker-daemon',
  'compaction',
  'command-lines',
  'bad-model',
  'verification',
  'continue-as-new',
];

/** jest itself knows how long a file takes only where it ran it before, which on a clean checkout it did not. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return [...tests].sort((one, other) => rank(one.path) - rank(other.path) || (one.path < other.path ? -1 : 1));
  }
}

function rank(path) {
  const [, name] = path.match(/\/test\/e2e\/(.+)\.test\.ts$/) ?? [];
  if (name === undefined) return longest.length + 1;
  return longest.includes(name) ? longest.indexOf(name) : longest.length;
}
