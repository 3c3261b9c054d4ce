import { spawn } from "node:child_process";

/**
 * Waits for the end of its input. A line means that all is well; an end without one means that the
 * parent process is gone, and the group must not outlive it.
 */
const SCRIPT = `read -r group || exit 0
read -r done && exit 0
kill -s TERM -- "-$group" 2>/dev/null || exit 0
sleep 1
kill -s KILL -- "-$group" 2>/dev/null`;

export interface Watchdog {
  guard(group: number): void;
  /** The group has ended by other means. */
  dismiss(): void;
}

const NO_WATCHDOG: Watchdog = { guard() {}, dismiss() {} };

/**
 * A process of a few hundred kilobytes that ends a process group when this process is gone, even by
 * `kill -9`, where no handler of ours can run. Started before the group, so that there is no moment
 * at which nobody watches. Windows has neither groups nor a shell for it.
 */
export function startWatchdog(): Watchdog {
  if (process.platform === "win32") return NO_WATCHDOG;
  const dog = spawn("/bin/sh", ["-c", SCRIPT], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
    cwd: "/",
  });
  dog.on("error", () => {});
  dog.stdin.on("error", () => {});
  // It must not keep this process from ending: its end is what the watchdog waits for.
  dog.unref();
  const { stdin } = dog;
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return {
    guard: (group) => void stdin.write(`${group}\n`),
    dismiss: () => void stdin.end("done\n"),
  };
}
