import type { Sandbox } from '../../sandbox/sandbox.ts';
import { runIn } from '../sandbox/test-sandboxes.ts';

/** What an agent may try in its sandbox, as bash. One that reads succeeds if its output has a secret; any other, if it exits with 0. */
export type Probe = { name: string } & ({ reads: string } | { does: string });

/** What probes are told by variables. */
export interface Surroundings {
  /** A file of the host that holds a secret. */
  HOST_FILE: string;
  /** The container host's address on Docker's bridge, and the port where it answers with a secret. */
  HOST_IP: string;
  PORT: string;
  /** A container on Docker's bridge that answers on port 8000. */
  NEIGHBOUR: string;
}

/** Secrets by their form: that of a canary, of a gateway's key, and what the gateway says once it has tried to connect. */
const secret = String.raw`canary-[0-9a-f]{32}|\b[0-9a-f]{64}\b|Longhaul: could not [r]each`;

/** Runs the probes on the input, some at a time, and prints what came of each. */
const runner = `
import json, re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
prelude, probes = json.load(sys.stdin)
def run(probe):
    script = prelude + (probe.get("reads") or probe["does"])
    process = subprocess.Popen(["timeout", "-k", "1", "10", "bash", "-c", script], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.communicate()[0].decode("latin1")
    found = sorted(set(re.findall(r"${secret}", output)))[:50]
    return [probe["name"], process.returncode, found, output[-80:]]
with ThreadPoolExecutor(8) as pool:
    for result in pool.map(run, probes): print(json.dumps(result))
`;

/** System calls that libc has no function for, by machine. `permitted` exits with 0 unless one is refused: it may fail for its arguments. */
const prelude = `
permitted() { python3 - "$@" <<'E'
import ctypes, errno, os, sys
numbers = dict(x86_64=dict(open_by_handle_at=304, pivot_root=155, bpf=321, perf_event_open=298, kexec_load=246, init_module=175, finit_module=313,
  add_key=248, keyctl=250, userfaultfd=323, move_mount=429, open_tree=428, fsopen=430, lookup_dcookie=212, getpid=39, swapoff=168,
  reboot=169, settimeofday=164, quotactl=179, acct=163, syslog=103),
  aarch64=dict(open_by_handle_at=265, pivot_root=41, bpf=280, perf_event_open=241, kexec_load=104, init_module=105, finit_module=273,
  getpid=172, add_key=217, keyctl=219, userfaultfd=282, move_mount=429, open_tree=428, fsopen=430, lookup_dcookie=18, swapoff=225,
  reboot=142, settimeofday=170, quotactl=60, acct=89, syslog=116))[os.uname().machine]
name, *values = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
arguments = [int(one) if one.lstrip("-").isdigit() else one.encode() for one in values]
done = libc.syscall(numbers[name], *arguments)
sys.exit(done < 0 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS, errno.EACCES))
E
}
`;

export interface Outcome {
  name: string;
  succeeded: boolean;
  /** The secrets in its output. */
  found: string[];
  /** The end of what it printed. */
  said: string;
}

let runs = 0;

/** Runs all probes in one command. */
export async function runProbes(
  sandbox: Sandbox,
  probes: readonly Probe[],
  surroundings: Surroundings,
  isSecret: (found: string) => boolean = () => true,
): Promise<Outcome[]> {
  const { output, exitCode } = await runIn(sandbox, `probes-${++runs}`, `python3 -c '${runner}'`, {
    input: JSON.stringify([prelude, probes]),
    environment: { ...surroundings },
  });
  const results = output.text.trim().split('\n');
  if (exitCode !== 0 || results.length !== probes.length)
    throw new Error(`Expected ${probes.length} results, got ${exitCode}: ${output.text}`);
  return results.map((line, index) => {
    const [name, code, all, said] = JSON.parse(line) as [string, number, string[], string];
    const found = all.filter(isSecret);
    const reads = 'reads' in (probes[index] as Probe);
    return { name, found, succeeded: reads ? found.length > 0 : code === 0, said };
  });
}

/** The probes that succeeded, with what they said. */
export function successes(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter(({ succeeded }) => succeeded).map(({ name, said }) => `${name}: ${said}`);
}
