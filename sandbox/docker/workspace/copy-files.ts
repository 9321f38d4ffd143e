import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';
import { type FolderFacts, givenFolder, leftOut, type WorkspaceFile } from '../../../domain/chat/files.ts';
import { SandboxError } from '../../errors.ts';
import type { SandboxContainer } from '../commands/run-command.ts';
import { feedScript } from '../commands/run-script.ts';
import { agentUser } from '../container/container-spec.ts';

/** Writes files into the workspace; see `Sandbox.placeFiles`. */
export async function placeFiles(sandbox: SandboxContainer, files: WorkspaceFile[], copy = ''): Promise<void> {
  const answer = await feedScript(sandbox, 'place-files', await packFiles(files), copy, givenFolder);
  expectAnswer(answer, 'placed');
}

/** Reads files of the workspace; see `Sandbox.takeFiles`. */
export async function takeFiles(
  sandbox: SandboxContainer,
  paths: string[],
  maxBytes: number,
): Promise<WorkspaceFile[]> {
  const archive = expectAnswer(await feedScript(sandbox, 'take-files', toFields(paths), String(maxBytes)), 'taken');
  return unpackFiles(archive.rest);
}

/** Says what the files of the workspace are; see `Sandbox.lookAtFiles`. */
export async function lookAtFiles(
  sandbox: SandboxContainer,
  known: string[],
  maxFiles: number,
): Promise<{ copy: string | undefined; files: FolderFacts }> {
  const answer = await feedScript(sandbox, 'look-at-files', toFields(known), String(maxFiles), ...leftOut);
  const { words, rest } = expectAnswer(answer, 'files');
  const [, copy, bytes = '0'] = words;
  const entries = fieldsOf(rest.subarray(0, Number(bytes)));
  const sums = new Map(
    fieldsOf(rest.subarray(Number(bytes))).map((line) => [line.slice(66).replace(/^\.\//, ''), line.slice(0, 64)]),
  );
  const files: FolderFacts = {};
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? '';
    const path = entry.slice(1);
    if (entry.startsWith('l')) {
      index += 1;
      files[path] = { link: entries[index] ?? '' };
    } else {
      files[path] = { hash: sums.get(path) ?? '', executable: entry.startsWith('x') };
    }
  }
  return { copy: copy === '-' ? undefined : copy, files };
}

/** The first line of a program's answer, and what is behind it. */
function expectAnswer(answer: Buffer, expected: string): { words: string[]; rest: Buffer } {
  const end = answer.indexOf(0x0a);
  const words = answer.subarray(0, end).toString('utf8').split(' ');
  const rest = answer.subarray(end + 1);
  if (words[0] === expected) return { words, rest };
  const why = rest.toString('utf8').trim().slice(0, 2_000);
  if (words[0] === 'refused') throw new SandboxError('FileRefused', `The sandbox refused: ${why}.`);
  throw new SandboxError('HarnessFailed', `Expected "${expected}" from the sandbox, got: ${answer.subarray(0, 500)}`);
}

async function packFiles(files: WorkspaceFile[]): Promise<Buffer> {
  const archive = pack();
  const owner = { uid: agentUser, gid: agentUser };
  for (const { path, executable, content, link } of files) {
    if (link !== undefined) archive.entry({ name: path, type: 'symlink', linkname: link, ...owner });
    else archive.entry({ name: path, mode: executable ? 0o755 : 0o644, ...owner }, Buffer.from(content));
  }
  archive.finalize();
  return buffer(archive as unknown as NodeJS.ReadableStream);
}

async function unpackFiles(archive: Buffer): Promise<WorkspaceFile[]> {
  const files: WorkspaceFile[] = [];
  const entries = extract();
  entries.end(archive);
  for await (const entry of entries) {
    const content = await buffer(entry as unknown as NodeJS.ReadableStream);
    const { name, type, mode = 0 } = entry.header;
    if (type === 'file') files.push({ path: name, executable: (mode & 0o100) !== 0, content });
  }
  return files;
}

function toFields(values: string[]): Buffer {
  return Buffer.from(values.map((value) => `${value}\0`).join(''));
}

function fieldsOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\0').slice(0, -1);
}
