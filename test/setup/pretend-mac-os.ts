import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the code under test believe that it runs on macOS, with a `ps` that the test writes, until `end`. */
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
