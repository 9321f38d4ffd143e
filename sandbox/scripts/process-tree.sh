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
      pause 0.01
    else
      kill -STOP "${processes[@]}" 2>/dev/null
      before=${#processes[@]}
    fi
  done
  return 1
}
