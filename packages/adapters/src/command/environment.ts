export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that a program needs to find its files, use the user's language and connect
 * through a proxy. `gh` needs D-Bus to read its login from the keyring. Names are compared in
 * upper case, because proxy variables are written both ways and Windows ignores case.
 */
const ALLOWED: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TERM",
  "TMPDIR",
  "TMP",
  "TEMP",
  "XDG_*",
  "DBUS_SESSION_BUS_ADDRESS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "SYSTEMROOT",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
];

function isAllowed(name: string, patterns: readonly string[]): boolean {
  const capitals = name.toUpperCase();
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? capitals.startsWith(pattern.slice(0, -1)) : capitals === pattern,
  );
}

/**
 * The part of an environment that a program may see. It never contains the tokens of other
 * programs. `allow` lists further names for this program; a name may end in `*`.
 */
export function scrubEnvironment(
  env: Environment,
  allow: readonly string[] = [],
): Record<string, string> {
  const patterns = [...ALLOWED, ...allow.map((name) => name.toUpperCase())];
  const scrubbed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isAllowed(name, patterns)) scrubbed[name] = value;
  }
  return scrubbed;
}
