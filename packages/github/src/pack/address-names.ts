type Named = Readonly<Record<string, string | number>>;

/** `#L10-L20` are the lines of a file. */
function readLines(hash: string): Named {
  const [, start, end = start] = /^#L(\d+)(?:C\d+)?(?:-L(\d+)(?:C\d+)?)?$/.exec(hash) ?? [];
  return start === undefined ? {} : { startLine: Number(start), endLine: Number(end) };
}

function withRef(ref: string, path: string | undefined): Named {
  return { ref, ...(path !== undefined && path !== "" && { path }) };
}

type Pattern = readonly [RegExp, (found: readonly (string | undefined)[], url: URL) => Named];

/** Addresses of the API have a ref as a whole. */
const API_PATTERNS: readonly Pattern[] = [
  [
    /^commits\/(.+?)(?:\/(?:comments|pulls|status|statuses|check-runs|check-suites))?$/,
    ([ref = ""]) => ({ ref }),
  ],
  [/^git\/refs?\/heads\/(.+)$/, ([branch = ""]) => ({ ref: branch, branch })],
  [/^git\/refs?\/tags\/(.+)$/, ([tag = ""]) => ({ ref: tag, tagName: tag })],
  [/^git\/commits\/([^/]+)$/, ([ref = ""]) => ({ ref })],
];

/**
 * A path below a repository → the inputs that it names. An address does not say where a ref with
 * slashes ends; it is read up to the first one, and `otherRefs` has what else it may be.
 */
const PATTERNS: readonly Pattern[] = [
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
  [/^commits\/([^/]+)(?:\/(.+?))?\/?$/, ([ref = "", path]) => withRef(ref, path)],
  [/^(?:pull\/\d+\/)?commits?\/([^/]+)/, ([ref = ""]) => ({ ref })],
  [/^compare\/(.+?)\.{2,3}(.+)$/, ([base = "", head = ""]) => ({ base, head })],
  [/^releases\/tags?\/(.+)$/, ([tagName = ""]) => ({ tagName })],
  [
    /^releases\/download\/([^/]+)\/([^/]+)$/,
    ([tagName = "", assetName = ""]) => ({ tagName, assetName }),
  ],
  [/^releases\/(\d+)$/, ([releaseId]) => ({ releaseId: Number(releaseId) })],
  [/^(?:issues\/\d+\/)?labels\/(.+)$/, ([label = ""]) => ({ label })],
  [/^(?:settings|actions)\/variables\/(?:actions\/)?(\w+)$/, ([variable = ""]) => ({ variable })],
  [/^(?:settings|actions)\/secrets\/(?:actions\/)?(\w+)$/, ([secret = ""]) => ({ secret })],
  [/^branches\/(.+)$/, ([branch = ""]) => ({ branch })],
];

function decodedSegment(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The inputs that the address of a file, commit, release, label or branch names. */
export function readNamed(path: string, url: URL, isApi: boolean): Named {
  for (const [pattern, name] of isApi ? [...API_PATTERNS, ...PATTERNS] : PATTERNS) {
    const found = pattern.exec(decodedSegment(path));
    if (found !== null) return name(found.slice(1), url);
  }
  return {};
}
