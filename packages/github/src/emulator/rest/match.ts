import type { Handler, Routes } from "./call.ts";

interface Route {
  readonly method: string;
  /** As in GitHub's description. */
  readonly template: string;
  readonly handler: Handler;
}

interface Compiled extends Route {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** Fewer names first: /releases/latest before /releases/{release_id}. */
  readonly rank: number;
}

/** These may hold slashes: a file's path, the name of a ref. */
const DEEP = new Set(["path", "ref", "branch", "basehead", "tag"]);

function compile(key: string, handler: Handler): Compiled {
  const [method = "", template = ""] = key.split(" ");
  const names: string[] = [];
  const source = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    names.push(name);
    return DEEP.has(name) ? "(.*)" : "([^/]+)";
  });
  const isDeep = names.some((name) => DEEP.has(name)) ? 1 : 0;
  const rank = names.length * 2 + isDeep - template.split("/").length / 100;
  return { method, template, handler, names, pattern: new RegExp(`^${source}$`), rank };
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export type Matcher = (method: string, path: string) => Match | undefined;

export function createMatcher(routes: Routes): Matcher {
  const compiled = Object.entries(routes)
    .map(([key, handler]) => compile(key, handler))
    .toSorted((a, b) => a.rank - b.rank);
  return (method, path) => {
    for (const route of compiled) {
      if (route.method !== method) continue;
      const found = route.pattern.exec(path);
      if (found !== null) return { route, params: paramsOf(route, found) };
    }
    return undefined;
  };
}

function paramsOf({ names }: Compiled, found: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? "")]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
