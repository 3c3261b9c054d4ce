import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { CodeCache, codeFolder } from "./code-cache.ts";
import type { KeptCode } from "./code-cache.ts";

type Load = (name: string) => unknown;
/** Node's `require`. */
type Require = Load & { resolve: (this: void, name: string) => string };
type Body = (exports: object, load: Require, file: string, importModule: Load) => void;

/** The environment that the built command gives its parts. */
export interface Surrounding {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the parts are. */
  readonly folder: string;
  /** Another one for every build, for V8 looks at no more than the length of what it compiled. */
  readonly build: string;
  /** The first part, which was loaded by Node. */
  readonly main: object;
  readonly load: Require;
  readonly importModule: Load;
}

/** One part that was loaded, and what of Node and of the other parts it has used so far. */
class Part {
  readonly exports: object = {};
  readonly uses = new Set<string>();
  readonly #script: Script;
  readonly #kept: KeptCode | undefined;

  constructor(file: string, kept: KeptCode | undefined) {
    // Parts are written in ASCII, which is read the quickest by this name.
    const text = readFileSync(file, "latin1");
    this.#script = new Script(text, { filename: file, cachedData: kept?.code });
    this.#kept = this.#script.cachedDataRejected === true ? undefined : kept;
  }

  run(load: Require, file: string, importModule: Load): void {
    const body = this.#script.runInThisContext() as Body;
    const noting: Load = (name) => {
      this.uses.add(name);
      return load(name);
    };
    const { resolve } = load;
    body(this.exports, Object.assign(noting, { resolve }), file, importModule);
  }

  /** The code to keep, if this run has come further than any that was kept. */
  get news(): KeptCode | undefined {
    const known = this.#kept?.uses ?? [];
    const isNew = [...this.uses].some((name) => !known.includes(name));
    if (this.#kept !== undefined && !isNew) return undefined;
    const uses = [...new Set([...known, ...this.uses])].toSorted();
    return { code: this.#script.createCachedData(), uses };
  }
}

/** The answer is out by then, and what goes wrong here must not change how the process ends. */
function keepNews(cache: CodeCache, parts: ReadonlyMap<string, Part>): void {
  try {
    for (const [name, { news }] of parts) if (news !== undefined) cache.write(name.slice(2), news);
  } catch {
    // The next run compiles again.
  }
}

/** ES modules are compiled by Node itself, which can keep what it compiled since version 22.1. */
function cacheModules(load: Load, place: string): void {
  const { enableCompileCache } = load("node:module") as {
    enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(`${place}/modules`);
}

/** How the parts of the built command are loaded: compiled once, and not each time. */
export function partLoader({ env, folder, build, main, load, importModule }: Surrounding): Load {
  const place = codeFolder(env);
  const cache = place === undefined ? undefined : new CodeCache(place, build);
  const parts = new Map<string, Part>();
  const importCached: Load = (name) => {
    // Node would try for ever to make the folder where none can be made.
    if (place !== undefined && cache?.isUsable() === true) cacheModules(load, place);
    return importModule(name);
  };
  const loadOne: Load = (name) => {
    if (!name.startsWith("./")) return load(name);
    if (name === "./main.cjs") return main;
    const known = parts.get(name);
    if (known !== undefined) return known.exports;
    const file = `${folder}/${name.slice(2)}`;
    const part = new Part(file, cache?.read(name.slice(2)));
    parts.set(name, part);
    part.run(loadPart, file, importCached);
    return part.exports;
  };
  const loadPart = Object.assign(loadOne, { resolve: load.resolve });
  if (cache !== undefined) process.on("exit", () => keepNews(cache, parts));
  return loadPart;
}
