import type { Handler, Routes } from "./call.ts";

interface Route {
  readonly method: string;
  /** As in GitHub's description. */
  readonly template: string;
  /** Absent for an operation that GitHub has and the embedded one has not. */
  readonly handler: Handler | undefined;
}

interface Compiled extends Route {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** Parts between slashes. */
  readonly depth: number;
}

/** These may hold slashes: a file's path, the name of a ref. */
const DEEP = new Set(["path", "ref", "branch", "basehead", "tag"]);

function compile(key: string, handler: Handler | undefined): Compiled {
  const [method = "", template = ""] = key.split(" ");
  const names: string[] = [];
  const source = template
    .replaceAll(/[.+*?^$()|[\]\\]/g, "\\$&")
    .replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => {
      names.push(name);
      return DEEP.has(name) ? "(.*)" : "([^/]+)";
    });
  const depth = template.split("/").length;
  return { method, template, handler, names, depth, pattern: new RegExp(`^${source}$`) };
}

/**
 * The longer template first, so that `branches/{branch}/protection` is not taken for a branch with a
 * slash in its name; then the one with fewer names, so that `/gists/starred` is no gist.
 */
function bySpecificity(a: Compiled, b: Compiled): number {
  return b.depth - a.depth || a.names.length - b.names.length;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export type Matcher = (method: string, path: string) => Match | undefined;

/** Finds the operation that a request means among all that GitHub has, served or not. */
export function createMatcher(routes: Routes, described: readonly string[]): Matcher {
  const keys = new Set([...described, ...Object.keys(routes)]);
  const compiled = [...keys].map((key) => compile(key, routes[key])).toSorted(bySpecificity);
  return (method, path) => {
    for (const route of compiled) {
      if (route.method !== method) continue;
      const found = route.pattern.exec(path);
      if (found !== null) return { route, params: getParams(route, found) };
    }
    return undefined;
  };
}

function getParams({ names }: Compiled, found: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? "")]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
