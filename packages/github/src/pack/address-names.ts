type Named = Readonly<Record<string, string | number>>;

/** Reads the lines of a file from `#L10-L20`. */
function readLines(hash: string): Named {
  const [, start, end = start] = /^#L(\d+)(?:C\d+)?(?:-L(\d+)(?:C\d+)?)?$/.exec(hash) ?? [];
  return start === undefined ? {} : { startLine: Number(start), endLine: Number(end) };
}

function withRef(ref: string, path: string | undefined): Named {
  return { ref, ...(path !== undefined && path !== "" && { path }) };
}

type Pattern = readonly [RegExp, (found: readonly (string | undefined)[], url: URL) => Named];

/** In URLs of the API, a ref is one path segment. In URLs of pages it may contain slashes. */
const API_PATTERNS: readonly Pattern[] = [
  [
    /^commits\/(.+?)(?:\/(?:comments|pulls|status|statuses|check-runs|check-suites))?$/,
    ([ref = ""]) => ({ ref }),
  ],
  [
    /^git\/(?:refs?|matching-refs)\/(heads\/(.+))$/,
    ([gitRef = "", branch = ""]) => ({ ref: branch, branch, gitRef }),
  ],
  [
    /^git\/(?:refs?|matching-refs)\/(tags\/(.+))$/,
    ([gitRef = "", tag = ""]) => ({ ref: tag, tagName: tag, gitRef }),
  ],
  [/^git\/(?:commits|trees)\/([^/]+)$/, ([ref = ""]) => ({ ref })],
  [/^branches\/(.+?)\/(?:protection|rename)(?:\/|$)/, ([branch = ""]) => ({ branch })],
  [/^releases\/(\d+)\/(?:assets|reactions)(?:\/|$)/, ([id]) => ({ releaseId: Number(id) })],
];

/** Lists on the web that are filtered by a user. */
const LISTS_OF_USERS: readonly Pattern[] = [
  [/^(?:issues|pulls)\/created_by\/([^/]+)$/, ([author = ""]) => ({ author })],
  [/^(?:issues|pulls)\/assigned\/([^/]+)$/, ([assignee = ""]) => ({ assignee })],
  [/^(?:issues|pulls)\/mentioned\/([^/]+)$/, ([user]) => ({ search: `mentions:${user}` })],
  [/^pulls\/review-requested\/([^/]+)$/, ([user]) => ({ search: `review-requested:${user}` })],
  [/^pulls\/([\w-]*[a-z-][\w-]*)$/i, ([author = ""]) => ({ author })],
];

/**
 * The inputs that a path below a repository names. A URL does not show where a ref with slashes
 * ends, so the ref is read up to the first slash. `otherRefs` lists the other possibilities.
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
  [/^releases\/tags?\/(.+)$/, ([tag = ""]) => ({ tagName: tag, tag })],
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

/** The inputs in the URL of a file, commit, release, label or branch. */
export function readNamed(path: string, url: URL, isApi: boolean): Named {
  for (const [pattern, name] of [...(isApi ? API_PATTERNS : LISTS_OF_USERS), ...PATTERNS]) {
    const found = pattern.exec(decodedSegment(path));
    if (found !== null) return name(found.slice(1), url);
  }
  return {};
}
