import { spawn } from "node:child_process";
import { TAG_VARIABLE } from "./process-list.js";

/** Ends the commands of a mini-cc that was itself killed, and so could not do it. */
export interface Watchdog {
  watch(group: number): void;
  forget(group: number): void;
  /** All is ended: it may go. */
  dismiss(): void;
}

/**
 * Its standard input ends when mini-cc does, in whatever way. `$1` is the tag; what has it and left its group is found
 * where there is /proc.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=
while read -r word group; do
  case $word in
    watch) groups="$groups $group" ;;
    forget)
      kept=
      for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
      groups=$kept ;;
    dismiss) exit 0 ;;
  esac
done
end() {
  for group in $groups; do kill -s "$1" -- "-$group"; done
  for pid in $(grep -ls "${TAG_VARIABLE}=$tag" /proc/[0-9]*/environ | tr -cd '0-9\\n'); do kill -s "$1" "$pid"; done
}
tag=$1
end TERM
sleep 1
end KILL
`;

/** A small shell in a session of its own. Without one, as on Windows, nobody watches. */
export function startWatchdog(tag: string): Watchdog {
  if (process.platform === "win32") return { watch: ignore, forget: ignore, dismiss: ignore };
  const child = spawn("/bin/sh", ["-c", SCRIPT, "mini-cc-watchdog", tag], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // It must not keep mini-cc from ending. If it cannot be had, commands run without it.
  child.once("error", ignore);
  child.stdin.on("error", ignore);
  child.unref();
  const tell = (words: string): void => {
    if (child.stdin.writable) child.stdin.write(`${words}\n`);
  };
  return {
    watch: (group) => tell(`watch ${group}`),
    forget: (group) => tell(`forget ${group}`),
    dismiss: () => {
      tell("dismiss");
      child.stdin.end();
    },
  };
}

function ignore(): void {
  // Nothing is to be done.
}
