import { spawn } from "node:child_process";

/**
 * The script of the watchdog. It waits for the end of its input. A line before the end means
 * that the group has ended. An end without a line means that the parent process is gone, so it
 * kills the group.
 */
const SCRIPT = `read -r group || exit 0
read -r done && exit 0
kill -s TERM -- "-$group" 2>/dev/null || exit 0
sleep 1
kill -s KILL -- "-$group" 2>/dev/null`;

export interface Watchdog {
  guard(group: number): void;
  /** Stops the watchdog, because the group has ended. */
  dismiss(): void;
}

const NO_WATCHDOG: Watchdog = { guard() {}, dismiss() {} };

/**
 * A small process that ends a process group when this process is gone, even after `kill -9`,
 * when no handler can run. It is started before the group, so that the group is always watched.
 * Windows has neither process groups nor a shell for it.
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
  // Does not keep this process alive, because the watchdog waits for the end of this process.
  dog.unref();
  const { stdin } = dog;
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return {
    guard: (group) => void stdin.write(`${group}\n`),
    dismiss: () => void stdin.end("done\n"),
  };
}
