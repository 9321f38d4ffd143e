import TestSequencer from '@jest/test-sequencer';

/** Those that take longest, longest first: the last file to end is then a short one, and every worker has something to do until then. */
const longest = [
  'e2e/example',
  'e2e/kills',
  'e2e/first-hour',
  'e2e/docker-daemon',
  'service/project/project',
  'service/project/command-lines',
  'exploits/cheats.service',
  'service/chat/chat',
  'service/model/bad-model',
  'service/project/control',
  'service/project/temporal-ui',
  'service/project/inbox',
  'service/project/verification',
  'service/project/checks-and-review',
  'service/chat/compaction',
  'service/chat/chat-memory',
  'e2e/up-and-down',
  'e2e/chat-kills',
  'docs/agents.service',
  'service/chat/streaming',
  'service/chat/made-tools',
  'service/chat/chat-control',
  'git/landing/move-branch.service',
  'db/memory/vectors/vector-index.service',
  'activities/verification/verify.service',
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
