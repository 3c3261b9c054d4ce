type Environment = Readonly<Record<string, string | undefined>>;

/** A Unix socket's path has at most 104 bytes on some systems. */
const MAX_PATH = 100;
const NAME = "up.sock";

/** The folder that `stateFolder` of `@waybill/state` names, which is too much code for a quick start. */
function stateFolder(env: Environment): string {
  const { WAYBILL_STATE: chosen = "", XDG_STATE_HOME: xdg = "", HOME: home = "" } = env;
  if (chosen !== "") return chosen;
  return xdg.startsWith("/") ? `${xdg}/waybill` : `${home}/.local/state/waybill`;
}

/**
 * Where the process of `waybill up` listens, and its user's commands look for it. Undefined where
 * there is no such place: a path that is relative or too long for a socket.
 */
export function socketPath(env: Environment): string | undefined {
  const folder = stateFolder(env);
  if (process.platform === "win32") {
    const name = folder.replaceAll(/[^\w.-]+/gu, "-").slice(-MAX_PATH);
    return String.raw`\\.\pipe\waybill-up-${name}`;
  }
  const path = `${folder}/${NAME}`;
  return path.startsWith("/") && Buffer.byteLength(path) <= MAX_PATH ? path : undefined;
}
