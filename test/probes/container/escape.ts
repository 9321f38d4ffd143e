import type { Probe } from '../run-probes.ts';

const readsFile = (path: string): Probe => ({
  name: `reads the host's file by ${path}`,
  reads: `for path in ${path}; do cat "$path$HOST_FILE"; done`,
});
const writes = (path: string): Probe => ({ name: `writes to ${path}`, does: `echo 1 >${path}` });
const calls = (name: string, ...values: string[]): Probe => ({
  name: `calls ${name}`,
  does: `permitted ${name} ${values.join(' ')}`,
});
const does = (name: string, script: string): Probe => ({ name, does: script });

/** Ways out of the container: to files of the host, to its kernel, to more rights. */
export const escapes: Probe[] = [
  ...[
    '',
    '/proc/1/root',
    '/proc/*/root',
    '/proc/self/cwd/../../..',
    '/proc/self/root/..',
    '/host',
    '/mnt',
    '/rootfs',
  ].map(readsFile),
  ...['/workspace/../../..', '/run/longhaul-network/../../..', '/dev/fd/../../../..', '/sys/../..'].map(readsFile),
  {
    name: 'reads the host by a link in the workspace',
    reads: 'ln -s "$HOST_FILE" /workspace/link; cat /workspace/link',
  },
  { name: 'reads the host by the log of the daemon', reads: 'cat /var/lib/docker/containers/*/*.log' },
  {
    name: 'reads the disk of the host',
    reads: 'for disk in /dev/[svx]d* /dev/nvme* /dev/dm-*; do head -c 1M $disk; done',
  },
  ...['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sys/kernel/hostname'].map(writes),
  ...['/proc/sys/vm/drop_caches', '/proc/sys/net/ipv4/ip_forward', '/proc/sys/fs/binfmt_misc/register'].map(writes),
  ...['/proc/sysrq-trigger', '/proc/irq/default_smp_affinity', '/proc/bus/pci/x'].map(writes),
  ...['/sys/kernel/uevent_helper', '/sys/kernel/mm/ksm/run', '/sys/fs/cgroup/memory/memory.limit_in_bytes'].map(writes),
  ...['/sys/fs/cgroup/pids/pids.max', '/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/release_agent', '/dev/kmsg'].map(
    writes,
  ),
  ...['/dev/mem', '/dev/port', '/dev/fuse', '/dev/kvm', '/dev/net/tun', '/dev/loop-control', '/dev/vsock'].map(writes),
  ...['/etc/passwd', '/etc/ld.so.preload', '/usr/bin/bash', '/run/longhaul-network/gateway.sock', '/.dockerenv'].map(
    writes,
  ),
  does('mounts a file system', 'mount -t tmpfs none /mnt'),
  does('mounts proc anew', 'mkdir -p /tmp/p; mount -t proc none /tmp/p'),
  does('makes the root writable', 'mount -o remount,rw /'),
  does('binds a folder over another', 'mount --bind /tmp /etc'),
  does('takes a mount away', 'umount /workspace'),
  does('makes a user namespace', 'unshare -U true'),
  does('makes a user namespace with root in it', 'unshare -Ur true'),
  does('makes a mount namespace', 'unshare -m true'),
  does('makes a network namespace', 'unshare -n true'),
  does('makes a process namespace', 'unshare -pf true'),
  does('enters the namespaces of process 1', 'nsenter -t 1 -a true'),
  does('enters a namespace by its file', 'nsenter --net=/proc/1/ns/net true'),
  does('changes the root', 'chroot /tmp true'),
  does('makes a device', 'mknod /tmp/disk b 8 0'),
  does('makes a character device', 'mknod /tmp/memory c 1 1'),
  does('becomes root by sudo', 'sudo -n true'),
  does('becomes root by su', 'su -c true root'),
  does(
    'becomes root by a program with the bit for it',
    'cp /usr/bin/id /tmp/id && chown root /tmp/id && chmod u+s /tmp/id',
  ),
  does(
    'becomes root by any program with the bit for it',
    'for one in $(find / -xdev -perm -4000 -type f 2>/dev/null); do $one --help >/dev/null 2>&1; grep -q "NoNewPrivs:.0" /proc/self/status && exit 0; done; exit 1',
  ),
  does('becomes root by setuid', 'python3 -c "import os; os.setuid(0)"'),
  does('joins the group of root', 'python3 -c "import os; os.setgroups([0])"'),
  does('gives a file away', 'touch /tmp/x; chown 0 /tmp/x'),
  does('gives a program a capability', 'cp /usr/bin/id /tmp/i; setcap cap_sys_admin+ep /tmp/i'),
  does('has a capability', 'grep -qE "^Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]" /proc/self/status'),
  does('opens a raw socket', 'python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"'),
  does('opens a packet socket', 'python3 -c "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"'),
  does('raises its limit of open files', 'ulimit -n 100000'),
  does('raises its limit of a file', 'ulimit -f unlimited'),
  does('allows core dumps', 'ulimit -c unlimited'),
  does(
    'takes a better priority',
    'nice -n -5 sleep 0 2>&1 | grep -q "" && exit 1; python3 -c "import os; os.nice(-5)"',
  ),
  does('asks for real time', 'chrt -f 50 true'),
  does('is spared where memory runs out', 'echo -1000 >/proc/self/oom_score_adj'),
  does('changes the clock', 'date -s "2001-01-01"'),
  does('loads a module', 'modprobe dummy || insmod /x.ko'),
  does('joins another control group', 'echo $$ | tee /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs'),
  does('asks the daemon for its version', 'curl -sf -m 2 --unix-socket /var/run/docker.sock http://d/version'),
  does('asks the daemon by the host', 'curl -sf -m 2 --noproxy "*" "http://$HOST_IP:2375/version"'),
  does(
    'asks containerd',
    'test -S /run/containerd/containerd.sock || test -S /proc/1/root/run/containerd/containerd.sock',
  ),
  calls('open_by_handle_at', '-1', '0', '0'),
  calls('pivot_root', '/', '/'),
  calls('bpf', '0', '0', '0'),
  calls('perf_event_open', '0', '0', '0', '0', '0'),
  calls('kexec_load', '0', '0', '0', '0'),
  calls('init_module', '0', '0', '0'),
  calls('finit_module', '-1', '0', '0'),
  calls('add_key', '0', '0', '0', '0', '0'),
  calls('keyctl', '0', '0', '0'),
  calls('userfaultfd', '0'),
  calls('fsopen', 'tmpfs', '0'),
  calls('open_tree', '-1', '0', '0'),
  calls('move_mount', '-1', '0', '-1', '0', '0'),
  calls('lookup_dcookie', '0', '0', '0'),
  calls('swapoff', '/none'),
  calls('reboot', '0', '0', '0', '0'),
  calls('settimeofday', '0', '0'),
  calls('acct', '/none'),
  calls('syslog', '3', '0', '0'),
];

/** What shows that a success is seen. */
export const controls: Probe[] = [
  { name: 'reads its own file', reads: 'cat /workspace/own' },
  { name: 'writes its own file', does: 'echo 1 >/workspace/mine' },
  calls('getpid'),
];
