type Named = Readonly<Record<string, string | number>>;

/** `#L10-L20` are the lines of a file. */
function readLines(hash: string): Named {
  const [, start, end = start] = /^#L(\d+)(?:C\d+)?(?:-L(\d+)(?:C\d+)?)?$/.exec(hash) ?? [];
  return start === undefined ? {} : { startLine: Number(start), endLine: Number(end) };
}

function withRef(ref: string, path: string | undefined): Named {
  return { ref, ...(path !== undefined && path !== "" && { path }) };
}

/** A path below a repository → the inputs that it names. GitHub ends a ref at its first slash. */
const PATTERNS: readonly (readonly [
  RegExp,
  (found: readonly (string | undefined)[], url: URL) => Named,
])[] = [
  [
    /^(?:blob|blame|edit|raw)\/(?:refs\/(?:heads|tags)\/)?([^/]+)\/(.+)$/,
    ([ref = "", path], { hash }) => ({ ...withRef(ref, path), ...readLines(hash) }),
  ],
  [
    /^tree\/(?:refs\/(?:heads|tags)\/)?(([^/]+)(?:\/(.+?))?)\/?$/,
    ([branch = "", ref = "", path]) => ({ ...withRef(ref, path), branch }),
  ],
  [
    /^contents\/(.+)$/,
    ([path = ""], { searchParams }) => {
      const ref = searchParams.get("ref");
      return { path, ...(ref !== null && { ref }) };
    },
  ],
  [/^commits\/([^/]+)\/(?:comments|pulls|status|statuses|check-runs)$/, ([ref = ""]) => ({ ref })],
  [/^commits\/([^/]+)(?:\/(.+))?$/, ([ref = "", path]) => withRef(ref, path)],
  [/^commit\/([^/]+)/, ([ref = ""]) => ({ ref })],
  [/^compare\/(.+?)\.{2,3}(.+)$/, ([base = "", head = ""]) => ({ base, head })],
  [/^releases\/tags?\/(.+)$/, ([tagName = ""]) => ({ tagName })],
  [/^releases\/(\d+)$/, ([releaseId]) => ({ releaseId: Number(releaseId) })],
  [/^labels\/(.+)$/, ([label = ""]) => ({ label })],
  [/^branches\/(.+)$/, ([branch = ""]) => ({ branch })],
];

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The inputs that the address of a file, commit, release, label or branch names. */
export function readNamed(path: string, url: URL): Named {
  for (const [pattern, name] of PATTERNS) {
    const found = pattern.exec(decoded(path));
    if (found !== null) return name(found.slice(1), url);
  }
  return {};
}
