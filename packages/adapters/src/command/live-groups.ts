const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The process ids of the programs that run now. Each program leads a process group of its own. */
const live = new Set<number>();

/** Sends a signal to a whole group. Returns false if no process of it is left. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, signal);
    return true;
  } catch {
    return false;
  }
}

function killAll(): void {
  for (const leader of live) signalGroup(leader, "SIGKILL");
}

/**
 * If this process has other listeners for the signal, they decide whether it ends. If not, the
 * signal ends it.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unhook();
  process.kill(process.pid, signal);
}

function hook(): void {
  process.on("exit", killAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function unhook(): void {
  process.off("exit", killAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

/**
 * A separate process group does not end with the terminal or with this process. So this process
 * kills running groups when it ends. Returns a function that stops watching.
 */
export function watchGroup(leader: number): () => void {
  if (live.size === 0) hook();
  live.add(leader);
  return () => {
    if (live.delete(leader) && live.size === 0) unhook();
  };
}
