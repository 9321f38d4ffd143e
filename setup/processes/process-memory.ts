import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface ProcessRow {
  pid: number;
  parent: number;
  bytes: number;
}

/** Resident bytes, by pid, of each of these processes together with all its descendants. */
export async function memoryOf(pids: number[]): Promise<Map<number, number>> {
  const rows = process.platform === 'linux' ? await readProc() : await readPs();
  const children = groupByParent(rows);
  const own = new Map(rows.map((row) => [row.pid, row.bytes]));
  const total = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + total(child.pid), own.get(pid) ?? 0);
  return new Map(pids.map((pid) => [pid, total(pid)]));
}

async function readProc(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    pids.map(async (pid) => {
      // A process may end between the listing and the reading; it then counts as using no memory.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      // Without shared pages (Postgres' buffers), which would count once per process.
      return { pid: Number(pid), parent: field('PPid'), bytes: (field('VmRSS') - field('RssShmem')) * 1024 };
    }),
  );
  return rows;
}

async function readPs(): Promise<ProcessRow[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, kilobytes] = line.trim().split(/\s+/).map(Number);
      return { pid: pid ?? 0, parent: parent ?? 0, bytes: (kilobytes ?? 0) * 1024 };
    });
}

function groupByParent(rows: ProcessRow[]): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of rows) groups.set(row.parent, [...(groups.get(row.parent) ?? []), row]);
  return groups;
}
