import TestSequencer from '@jest/test-sequencer';

/** Those that take longest, longest first: the last file to end is then a short one, and every worker has something to do until then. */
const longest = [
  'e2e/example',
  'e2e/control-at-kills',
  'service/project/control',
  'service/project/temporal-ui',
  'service/model/bad-model',
  'service/chat/compaction',
  'e2e/docker-daemon',
  'service/project/command-lines',
  'exploits/cheats.service',
  'service/project/project',
  'e2e/chat-kills',
  'service/chat/chat',
  'service/project/verification',
  'e2e/kills',
  'service/project/budget',
  'service/project/continue-as-new',
  'e2e/up-and-down',
  'service/chat/streaming',
  'git/landing/move-branch.service',
  'db/memory/vectors/vector-index.service',
  'activities/project/revert.service',
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
