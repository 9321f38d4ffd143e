import type { Probe } from '../run-probes.ts';

const reads = (name: string, script: string): Probe => ({ name, reads: script });
const does = (name: string, script: string): Probe => ({ name, does: script });

/** Secrets of the harness, of the host and of another sandbox, where they might lie. */
export const leak: Probe[] = [
  reads('its environment', 'env'),
  reads('environments of all processes', 'cat /proc/[0-9]*/environ'),
  reads('command lines of all processes', 'cat /proc/[0-9]*/cmdline'),
  reads('open files of all processes', 'for file in /proc/[0-9]*/fd/*; do [ -f "$file" ] && head -c 1M "$file"; done'),
  reads('memory of process 1', 'head -c 1M /proc/1/mem; gdb -p 1 -batch'),
  reads('mounts', 'cat /proc/self/mountinfo /proc/1/mountinfo'),
  reads('stacks and messages of the kernel', 'cat /proc/1/stack /proc/kmsg; dmesg'),
  reads('abstract sockets', 'cat /proc/net/unix'),
  reads('shared memory', 'cat /dev/shm/* /dev/mqueue/*; ipcs -a'),
  reads('temporary files', 'grep -rsah . /tmp /var/tmp | head -c 1M'),
  reads(
    'folders of the harness in the home',
    'grep -rsah --exclude-dir=commands . ~/.longhaul | grep -v "^LONGHAUL " | head -c 1M',
  ),
  reads('all that is in the home', 'find ~ -maxdepth 4 -type f -not -path "*/commands/*" -exec cat {} + | head -c 2M'),
  reads('records of other commands', 'cat ~/.longhaul/commands/[!p]*/{script,input,output}'),
  reads('folders of secrets', 'cat /run/secrets/* /var/run/secrets/*/*/* /etc/longhaul/* /etc/shadow'),
  reads('keys of a person', 'cat ~/.ssh/* /root/.ssh/* ~/.aws/* ~/.docker/* ~/.netrc ~/.npmrc ~/.config/gh/*'),
  reads('data folders', 'cat /root/.longhaul/.env ~/.longhaul/.env /home/*/.longhaul/.env'),
  reads("the network's folder", 'ls -la /run/longhaul-network; cat /run/longhaul-network/*'),
  reads('the key of the gateway by its process', 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep GATEWAY'),
  reads("another sandbox's files", 'cat /proc/[0-9]*/root/workspace/other'),
  reads("another sandbox's volume", 'cat /var/lib/docker/volumes/*/_data/*'),
  reads('git credentials', 'printf "protocol=https\\nhost=github.com\\n\\n" | git credential fill'),
  reads('configuration of git', 'git config --list --show-origin; cat /etc/gitconfig'),
  reads(
    'the repository that it was filled from',
    'git -C /workspace config --get-regexp "remote|url"; cat /workspace/.git/{objects/info/alternates,packed-refs}',
  ),
  reads('configuration of npm and pip', 'npm config list -l; pip config list'),
  reads('the environment of the daemon by its proxy variables', 'env | grep -i proxy | grep @'),
  does('an agent of SSH', 'test -S "$SSH_AUTH_SOCK"'),
  does('addresses of the kernel', "awk '$1 !~ /^0*$/ {found=1; exit} END {exit !found}' /proc/kallsyms"),
  does('memory of the kernel', 'head -c 64 /proc/kcore | grep -q .'),
  does('keys of the kernel', 'grep -q . /proc/keys'),
  does('firmware of the machine', 'ls /sys/firmware | grep -q .'),
  does('the schedule of all processes', 'grep -q . /proc/sched_debug /proc/timer_list'),
  does('devices of the host', 'ls /proc/scsi | grep -q . || ls /proc/acpi | grep -q .'),
  does('processes of the host', 'ls -d /proc/[0-9]* | wc -l | (read count; test "$count" -gt 100)'),
  does('interfaces of the host', 'ls /sys/class/net | grep -v "^lo$"'),
  does(
    'connections of the host',
    'awk \'NR > 1 && $2 !~ /^0100007F:46D0/ && $4 == "0A" {found=1} END {exit !found}\' /proc/net/tcp',
  ),
  does('routes and neighbours of the host', 'awk "FNR > 1" /proc/net/route /proc/net/arp | grep -q .'),
  does('files of the harness by their names', 'find / -xdev -name "*.ts" -path "*longhaul*" 2>/dev/null | grep -q .'),
];
