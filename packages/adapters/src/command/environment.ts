export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that a program needs to find its files, speak the user's language and get through a
 * proxy. D-Bus is how `gh` reaches the keyring it keeps its login in. Names are compared in
 * capitals, because proxies are written both ways and Windows does not tell them apart.
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
 * The part of an environment a program may see: never the tokens of other programs. `allow` names
 * what this one gets besides; a name may end in `*`.
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
