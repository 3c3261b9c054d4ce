import type { Handler, Routes } from "./call.ts";

interface Route {
  readonly method: string;
  /** The path template of GitHub's description. */
  readonly template: string;
  /** The handler; absent if the emulator does not serve this operation of GitHub. */
  readonly handler: Handler | undefined;
}

interface Compiled extends Route {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** The number of path segments. */
  readonly depth: number;
}

/** Parameters that may contain slashes, such as a file's path or the name of a ref. */
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
 * Sorts longer templates first, so that `branches/{branch}/protection` is not read as a branch with
 * a slash in its name. Among equally long templates, the one with fewer parameters comes first, so
 * that `/gists/starred` is not read as a gist.
 */
function bySpecificity(a: Compiled, b: Compiled): number {
  return b.depth - a.depth || a.names.length - b.names.length;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export type Matcher = (method: string, path: string) => Match | undefined;

/** Finds the operation of a request among all of GitHub's, emulated or not. */
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
  return Object.fromEntries(
    names.map((name, index) => [name, decodeSegment(found[index + 1] ?? "")]),
  );
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
