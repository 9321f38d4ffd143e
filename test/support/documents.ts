import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createJiti } from 'jiti';
import { packageRoot } from '../../config/package-root.ts';

/** A code block of a document that is a whole file; its first line names it: `// test/run.ts`. */
export interface DocumentedFile {
  path: string;
  code: string;
}

/** The TypeScript blocks of a page in `docs/`. */
export async function readDocumentedFiles(page: string): Promise<DocumentedFile[]> {
  const text = await readFile(join(packageRoot(), 'docs', page), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => {
    const path = /^\/\/ (\S+)\n/.exec(code)?.[1];
    if (path === undefined) throw new Error(`Expected a block of ${page} to begin with the name of its file: ${code}`);
    return { path, code };
  });
}

/** Writes the files into a folder of their own and runs one of them; `longhaul` and its entries are this source. */
export async function runDocumentedFile(files: readonly DocumentedFile[], path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-document-'));
  try {
    for (const file of files) {
      await mkdir(dirname(join(folder, file.path)), { recursive: true });
      await writeFile(join(folder, file.path), file.code);
    }
    const jiti = createJiti(join(folder, path), {
      fsCache: false,
      moduleCache: true,
      virtualModules: {
        longhaul: await import('../../runtime/index.ts'),
        'longhaul/testing': await import('../../testing/index.ts'),
        zod: await import('zod'),
      },
    });
    await jiti.import(join(folder, path));
  } finally {
    await rm(folder, { recursive: true });
  }
}
