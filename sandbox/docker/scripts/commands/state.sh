# Where the harness keeps what it knows of its commands, and how it tells which of them still have a keeper.
state=/home/agent/.longhaul

# A pipe that nobody writes to, so that `pause` can wait without starting a process: our own output, opened once more.
{ exec 9<>/proc/self/fd/1; } 2>/dev/null || exec 9<> <(:)
pause() { read -r -t "$1" -u 9; }

# start_time PID: the process's start in clock ticks since the machine booted, in REPLY; fails where it is gone or a zombie.
start_time() {
  local status fields
  { read -r -d '' status <"/proc/$1/stat"; } 2>/dev/null
  [ -n "$status" ] || return 1
  read -r -a fields <<<"${status##*) }"
  [ "${fields[0]}" != Z ] || return 1
  REPLY=${fields[19]}
}

# Which life of this container it is: the machine's boot and the start of process 1.
current_life() {
  local boot
  read -r boot </proc/sys/kernel/random/boot_id
  start_time 1
  REPLY=$boot:$REPLY
}

now_ms() { REPLY=${EPOCHREALTIME/[.,]/}; REPLY=${REPLY%???}; }
