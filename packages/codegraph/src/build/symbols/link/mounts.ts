import { joinPaths } from "../../entrypoints/paths.ts";
import { FactsView } from "../facts/facts-view.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { MOUNT_WIDTH } from "./file-links.ts";
import type { FileLinks } from "./file-links.ts";

interface MountingFile {
  readonly facts: FileSymbolData | undefined;
  readonly links: FileLinks | undefined;
}

/** A router that is mounted on a router of another file. */
interface Mount {
  readonly prefix: string;
  readonly symbol: number;
  readonly onFile: number;
  readonly on: number;
}

const MAX_DEPTH = 8;
/** The most names of a route, because its router may be mounted in several places. */
const MAX_PREFIXES = 4;
const ROUTE = /^([A-Z]+) (\/.*)$/s;

/** The mounts of routers across files. */
export class Mounts {
  readonly #mounts = new Map<number, Mount[]>();
  /** Routers that are mounted on several others can be reached in very many ways. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(files: readonly MountingFile[]) {
    for (const [file, { facts, links }] of files.entries()) {
      if (!facts || !links || links.mounts.length === 0) continue;
      const view = new FactsView(facts);
      for (let row = 0; row < links.mounts.length; row += MOUNT_WIDTH) {
        const [prefix, toFile, symbol, on] = links.mounts.subarray(row, row + MOUNT_WIDTH);
        const mount = { prefix: view.text(prefix!), symbol: symbol!, onFile: file, on: on! };
        const known = this.#mounts.get(toFile!);
        if (known) known.push(mount);
        else this.#mounts.set(toFile!, [mount]);
      }
    }
  }

  /** The names of a route: one for each place where its router is mounted. */
  namesOf(file: number, name: string, router: number, from: number): readonly string[] {
    if (!this.#mounts.has(file)) return [name];
    const [, method, path] = ROUTE.exec(name) ?? [];
    if (method === undefined || path === undefined) return [name];
    const prefixes = this.#prefixes(file, router, from, 0);
    return [...new Set(prefixes.map((prefix) => `${method} ${joinPaths(prefix, path)}`))];
  }

  /** The files whose routes have other names than before. */
  changedFrom(before: Mounts): Set<number> {
    const files = new Set([...this.#mounts.keys(), ...before.#mounts.keys()]);
    return new Set([...files].filter((file) => this.#shape(file) !== before.#shape(file)));
  }

  #shape(file: number): string {
    const symbols = new Set(this.#mounts.get(file)?.map(({ symbol }) => symbol));
    return JSON.stringify([...symbols].map((each) => [each, this.#prefixes(file, each, each, 0)]));
  }

  /** A function that creates a router counts as the router, and a module as its unnamed router. */
  #prefixes(file: number, router: number, from: number, depth: number): readonly string[] {
    const key = `${file} ${router} ${from} ${depth}`;
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = this.#findPrefixes(file, router, from, depth)));
    return known;
  }

  #findPrefixes(file: number, router: number, from: number, depth: number): readonly string[] {
    const mounts = this.#mounts.get(file)?.filter(({ symbol }) => {
      return symbol === router || (symbol > 0 && symbol === from);
    });
    if (!mounts?.length || depth >= MAX_DEPTH) return [""];
    const found = mounts.flatMap(({ prefix, onFile, on }) =>
      this.#prefixes(onFile, on, on, depth + 1).map((above) => joinPaths(above, prefix)),
    );
    return [...new Set(found)].slice(0, MAX_PREFIXES);
  }
}
