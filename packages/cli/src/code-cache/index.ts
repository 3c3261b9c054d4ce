import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { CodeCache, codeFolder } from "./code-cache.ts";
import type { KeptCode } from "./code-cache.ts";

type Load = (name: string) => unknown;
/** The type of Node's `require` function. */
type Require = Load & { resolve: (this: void, name: string) => string };
type Body = (exports: object, load: Require, file: string, importModule: Load) => void;

/** The values that the built command passes to its parts. */
export interface Surrounding {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder with the bundled files of the command. */
  readonly folder: string;
  /**
   * A text that differs for every build, because V8 itself checks only the length of the source.
   */
  readonly build: string;
  /** The bundled file that Node itself loaded first. */
  readonly main: object;
  readonly load: Require;
  readonly importModule: Load;
}

/** A loaded bundled file, with the modules and other bundled files that it has used so far. */
class Part {
  readonly exports: object = {};
  readonly uses = new Set<string>();
  readonly #script: Script;
  readonly #kept: KeptCode | undefined;

  constructor(file: string, kept: KeptCode | undefined) {
    // Bundled files are ASCII, and Node reads ASCII fastest as latin1.
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

  /** The code to store; undefined if this run compiled nothing new. */
  get news(): KeptCode | undefined {
    const known = this.#kept?.uses ?? [];
    const isNew = [...this.uses].some((name) => !known.includes(name));
    if (this.#kept !== undefined && !isNew) return undefined;
    const uses = [...new Set([...known, ...this.uses])].toSorted();
    return { code: this.#script.createCachedData(), uses };
  }
}

/** Runs after the answer is printed. An error here must not change the exit code. */
function keepNews(cache: CodeCache, parts: ReadonlyMap<string, Part>): void {
  try {
    for (const [name, { news }] of parts) if (news !== undefined) cache.write(name.slice(2), news);
  } catch {
    // Nothing was stored, so the next run compiles again.
  }
}

/** Node compiles ES modules itself, and can cache the result since version 22.1. */
function cacheModules(load: Load, place: string): void {
  const { enableCompileCache } = load("node:module") as {
    enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(`${place}/modules`);
}

/** Loads the bundled files of the command from stored compiled code, if there is any. */
export function partLoader({ env, folder, build, main, load, importModule }: Surrounding): Load {
  const place = codeFolder(env);
  const cache = place === undefined ? undefined : new CodeCache(place, build);
  const parts = new Map<string, Part>();
  const importCached: Load = (name) => {
    // Checked first, because Node never stops trying to create a folder that cannot be created.
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
