type Environment = Readonly<Record<string, string | undefined>>;

/** The path of a Unix socket has at most 104 bytes on some systems. */
const MAX_PATH = 100;
const NAME = "up.sock";

/** The same as `stateFolder` of `@waybill/state`, which would take too long to load here. */
function stateFolder(env: Environment): string {
  const { WAYBILL_STATE: chosen = "", XDG_STATE_HOME: xdg = "", HOME: home = "" } = env;
  if (chosen !== "") return chosen;
  return xdg.startsWith("/") ? `${xdg}/waybill` : `${home}/.local/state/waybill`;
}

/** The socket of `waybill up`. Undefined if the path would be relative or too long for a socket. */
export function socketPath(env: Environment): string | undefined {
  const folder = stateFolder(env);
  if (process.platform === "win32") {
    const name = folder.replaceAll(/[^\w.-]+/gu, "-").slice(-MAX_PATH);
    return String.raw`\\.\pipe\waybill-up-${name}`;
  }
  const path = `${folder}/${NAME}`;
  return path.startsWith("/") && Buffer.byteLength(path) <= MAX_PATH ? path : undefined;
}
