import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Has the code take the paths that it takes on macOS, with a `ps` of the test's own; `end` undoes it. */
export function pretendMacOs(): { ps(script: string): void; end(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-mac-'));
  const { platform } = process;
  const { PATH } = process.env;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  process.env.PATH = `${folder}:${PATH}`;
  return {
    ps: (script) => writeFileSync(join(folder, 'ps'), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    end() {
      Object.defineProperty(process, 'platform', { value: platform });
      process.env.PATH = PATH;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
