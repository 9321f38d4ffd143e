/** What an agent may do to take more than its share; it succeeds if it exits with 0, or if its sandbox is of no use afterwards. */
export interface Exhaustion {
  name: string;
  script: string;
  /** After which the command is ended, whatever it does. */
  timeoutMs?: number;
}

const python = (name: string, code: string): Exhaustion => ({ name, script: `python3 -c '${code}'` });
/** Runs on until its time is up; nothing of it may be left then. */
const endless = (name: string, script: string): Exhaustion => ({ name, script, timeoutMs: 600 });

/** The limits of the sandbox that these are tried in. */
export const limits = {
  memoryBytes: 256 * 1024 ** 2,
  processes: 96,
  tmpBytes: 16 * 1024 ** 2,
  fileBytes: 64 * 1024 ** 2,
};

export const exhaust: Exhaustion[] = [
  python('memory of a process', 'bytearray(400 << 20)'),
  python('memory that is shared', 'import mmap; mmap.mmap(-1, 400 << 20).write(bytes(400 << 20))'),
  python(
    'memory of a file without a name',
    'import os; f=os.memfd_create("x"); [os.write(f, bytes(1 << 20)) for _ in range(400)]',
  ),
  { name: 'memory of /dev/shm', script: 'head -c 300M /dev/zero >/dev/shm/x' },
  {
    name: 'memory of several processes',
    script: 'for i in 1 2 3 4; do head -c 150M /dev/zero | tail & done; for i in 1 2 3 4; do wait -n || exit 1; done',
  },
  python(
    'memory of pipes',
    'import os, fcntl; ends=[os.pipe() for _ in range(400)]; [(fcntl.fcntl(w, 1031, 1 << 20), os.write(w, bytes(1 << 20))) for _, w in ends]',
  ),
  { name: '/tmp', script: 'head -c 20M /dev/zero >/tmp/x' },
  { name: '/tmp, by many files', script: 'for i in $(seq 20); do head -c 1M /dev/zero >/tmp/many$i || exit 1; done' },
  { name: 'one file', script: 'head -c 70M /dev/zero >/workspace/x' },
  { name: 'one file with a hole', script: 'truncate -s 70M /workspace/hole' },
  { name: 'one file, reserved', script: 'fallocate -l 70M /workspace/reserved' },
  {
    name: 'one file, by a raised limit',
    script: 'ulimit -f unlimited; ulimit -f 200000 && head -c 70M /dev/zero >/workspace/y',
  },
  python('processes', 'import os,sys,time\nfor _ in range(200):\n  if os.fork() == 0: time.sleep(20); os._exit(0)'),
  python(
    'threads',
    'import threading, time\nfor _ in range(200): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()',
  ),
  python('zombies', 'import os\nfor _ in range(200):\n  if os.fork() == 0: os._exit(0)'),
  python('open files', 'held=[open("/dev/null") for _ in range(17000)]'),
  python(
    'processes, with a raised limit',
    'import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (20000, 20000))',
  ),
  endless('time, by a loop', 'while :; do :; done'),
  endless('time, deaf to all that can be ignored', 'trap "" TERM INT HUP QUIT PIPE; while :; do sleep 1; done'),
  endless('time, in a session of its own', 'setsid -f sleep 987; sleep 987'),
  endless('time, forgotten by its parent', '( ( trap "" TERM; exec sleep 987 ) & ) ; sleep 987'),
  endless('time, under another name', 'exec -a "[kworker]" sleep 987'),
  endless('time, without its environment', 'env -i sleep 987 & sleep 987'),
  endless('time, stopped', 'kill -STOP $BASHPID; sleep 987'),
  endless('time, by a chain of processes', 'f() { sleep 0.05; f & }; f; sleep 987'),
  endless('output without end', 'yes'),
  endless('output in one line without end', 'tr "\\0" x </dev/zero'),
  endless('output to both, without end', 'yes >&2 & yes'),
  endless('a fork bomb', 'f() { f | f & }; f; sleep 987'),
  { name: 'all processes, ended', script: 'kill -9 -1; exit 1' },
  { name: 'process 1, ended', script: 'kill -9 1; kill -TERM $PPID; sleep 0.2; exit 1' },
  {
    name: 'a folder too deep to remove',
    script: 'for i in $(seq 300); do mkdir dddddddddddddddddddd && cd dddddddddddddddddddd || break; done; exit 1',
  },
  { name: 'the records of the harness, removed', script: 'rm -rf ~/.longhaul/commands; exit 1' },
  { name: 'the folder of the harness, closed', script: 'chmod 000 ~/.longhaul 2>/dev/null; exit 1' },
];

/** Within the limits. */
export const allowed: Exhaustion[] = [
  python('memory', 'bytearray(100 << 20)'),
  { name: 'a file', script: 'head -c 30M /dev/zero >/workspace/fits' },
  python('processes', 'import os,time\nfor _ in range(20):\n  if os.fork() == 0: time.sleep(0.1); os._exit(0)'),
];
