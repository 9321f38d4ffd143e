# The record of a command: a folder that appears whole, with room for the result kept in it from the beginning, so that a
# full disk can take the output's end but not the result.

# read_record: reads the keeper (pid, its start, the container's life, the beginning in ms) and, where there is one, the result.
read_record() {
  read -r keeper keeper_start life began_ms <"$command/keeper"
  outcome=
  read -r outcome code took_ms <"$command/result"
  [ -n "$outcome" ]
}

# write_result OUTCOME CODE MS
write_result() {
  outcome=$1 code=$2 took_ms=$3
  printf '%-63s\n' "$outcome $code $took_ms" 1<>"$command/result"
}

keeper_lives() {
  start_time "$keeper" && [ "$REPLY" = "$keeper_start" ]
}

# settle: gives a command whose keeper died without a result the one that it has to have.
settle() {
  current_life
  if [ "$REPLY" = "$life" ]; then
    # The command ended its own keeper (kill -9 -1), or memory ran out: what is left of it goes too.
    kill_processes "$id" "$keeper_start"
    now_ms
    write_result exited 137 $((REPLY - began_ms))
  else
    local last
    last=$(stat -c %Y "$command/output")
    write_result interrupted - $((last * 1000 > began_ms ? last * 1000 - began_ms : 0))
  fi
}

# show_result ROLE HEAD TAIL: one line of facts, then the output, its middle left out where it is longer than both together.
show_result() {
  local total head=$2 tail=$3
  total=$(stat -L -c %s "$command/output" 2>/dev/null) || total=0
  if [ "$total" -le $((head + tail)) ]; then head=$total tail=0; fi
  printf 'longhaul %s %s %s %s %s %s %s\n' "$1" "$outcome" "$code" "$took_ms" "$total" "$head" "$tail"
  [ "$head" = 0 ] || head -c "$head" "$command/output"
  [ "$tail" = 0 ] || tail -c "+$((total - tail + 1))" "$command/output" | head -c "$tail"
}
