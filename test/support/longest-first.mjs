import TestSequencer from '@jest/test-sequencer';

/** Those that take longest, longest first: the last file to end is then a short one, and every worker has something to do until then. */
const longest = [
  'e2e/example',
  'service/model/bad-model',
  'e2e/control-at-kills',
  'service/chat/compaction',
  'e2e/chat-kills',
  'service/project/control',
  'e2e/docker-daemon',
  'e2e/kills',
  'service/project/verification',
  'service/project/command-lines',
  'e2e/up-and-down',
  'service/project/temporal-ui',
  'service/project/project',
  'service/memory/crash',
  'service/chat/chat',
  'service/chat/chat-control',
  'service/project/continue-as-new',
];

/** jest itself knows how long a file takes only where it ran it before, which on a clean checkout it did not. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return [...tests].sort((one, other) => rank(one.path) - rank(other.path) || (one.path < other.path ? -1 : 1));
  }
}

function rank(path) {
  const [, name] = path.match(/\/test\/(.+)\.test\.ts$/) ?? [];
  if (longest.includes(name)) return longest.indexOf(name);
  return /^(e2e|service)\//.test(name) ? longest.length : longest.length + 1;
}
