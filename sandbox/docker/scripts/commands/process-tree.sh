# Finding and ending every process of a command, also those that left its session or were adopted by process 1. Only
# builtins: it has to work when the command used up every process that the sandbox may have.

# processes_of ID SINCE: sets `processes` to the pids that carry the command's mark, and to those that cleared their
# environment and their parentage, began no earlier than SINCE (clock ticks) and so can only be a command's.
processes_of() {
  local id=$1 since=$2 folder pid status fields environment
  processes=()
  for folder in /proc/[0-9]*; do
    pid=${folder#/proc/}
    if [ "$pid" = 1 ] || [ "$pid" = "$$" ]; then continue; fi
    status=
    { read -r -d '' status <"$folder/stat"; } 2>/dev/null
    [ -n "$status" ] || continue
    read -r -a fields <<<"${status##*) }"
    if [ "${fields[0]}" = Z ] || [ "${fields[0]}" = X ]; then continue; fi
    environment=()
    { mapfile -d '' -t environment <"$folder/environ"; } 2>/dev/null
    local IFS=$'\n'
    case $'\n'"${environment[*]}"$'\n' in
      *$'\n'"LONGHAUL_COMMAND=$id"$'\n'*) processes+=("$pid") ;;
      *$'\nLONGHAUL_COMMAND='*) ;;
      *) if [ "${fields[1]}" = 1 ] && [ "${fields[19]}" -ge "$since" ]; then processes+=("$pid"); fi ;;
    esac
    unset IFS
  done
}

# kill_processes ID SINCE: stops them all first, so that none can start another while the rest is found; then ends them.
kill_processes() {
  local before=-1 round
  for ((round = 0; round < 200; round++)); do
    processes_of "$1" "$2"
    [ ${#processes[@]} -gt 0 ] || return 0
    if [ ${#processes[@]} -le $before ]; then
      kill -KILL "${processes[@]}" 2>/dev/null
      before=-1
      await_ends "${processes[@]}"
    else
      kill -STOP "${processes[@]}" 2>/dev/null
      before=${#processes[@]}
    fi
  done
  return 1
}

# await_ends PID...: waits up to a second until the processes have ended. While one ends, it has no environment left and still is the parent of its
# children, so that neither it nor they would be found.
await_ends() {
  local pid status round
  for pid; do
    for ((round = 0; round < 100; round++)); do
      status=
      { read -r -d '' status <"/proc/$pid/stat"; } 2>/dev/null
      case ${status##*) } in '' | [ZX]*) break ;; esac
      pause 0.01
    done
  done
}

# read_processes: how many processes and threads the sandbox has and may have, in `present` and `most` (`max` without a limit).
read_processes() {
  local folder
  present=0 most=max
  for folder in /sys/fs/cgroup/pids /sys/fs/cgroup; do
    [ -r $folder/pids.current ] || continue
    read -r present <$folder/pids.current
    read -r most <$folder/pids.max
    return
  done
}

# has_room COUNT: whether the sandbox may start so many processes more.
has_room() {
  read_processes
  [ "$most" = max ] || [ $((present + $1)) -le "$most" ]
}

# make_room: ends the command with the most processes, where it left none for anything else (a fork bomb).
make_room() {
  local folder environment entry owner worst=
  declare -A counts
  for folder in /proc/[0-9]*; do
    environment=()
    { mapfile -d '' -t environment <"$folder/environ"; } 2>/dev/null
    owner=none
    for entry in "${environment[@]}"; do
      case $entry in LONGHAUL_COMMAND=*) owner=${entry#*=} ;; esac
    done
    counts[$owner]=$((${counts[$owner]-0} + 1))
    [ -n "$worst" ] && [ "${counts[$worst]}" -ge "${counts[$owner]}" ] || worst=$owner
  done
  if [ "$worst" = none ]; then kill_processes '' 0; else kill_processes "$worst" 99999999999999; fi
}
