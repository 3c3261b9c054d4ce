import { posix } from "node:path";
import { perGraph } from "../analysis/index.ts";
import type { Links } from "../analysis/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import { dependenciesOf } from "./dependency.ts";
import type { Dependency } from "./dependency.ts";

/** Folders with everything below them, and their dependencies on other folders. */
export interface Folders {
  readonly names: readonly string[];
  readonly links: Links;
  /**
   * The instability of each folder: the share of outgoing dependencies among all its dependencies.
   */
  readonly instability: Float64Array;
}

interface Growing {
  readonly targets: Set<number>;
  outgoing: number;
  incoming: number;
}

/** The folders that contain a path, the innermost first, without the root. */
function foldersAbove(path: string): string[] {
  const found: string[] = [];
  for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) {
    found.push(folder);
  }
  return found;
}

class FolderTable {
  readonly #ids = new Map<string, number>();
  readonly #rows: Growing[] = [];

  #idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    this.#ids.set(name, this.#rows.length);
    return this.#rows.push({ targets: new Set(), outgoing: 0, incoming: 0 }) - 1;
  }

  /** A dependency counts for every folder that it leaves and every folder that it enters. */
  add(from: string, { to, path }: Dependency): void {
    const target = to === undefined ? path : posix.dirname(path);
    for (const folder of foldersAbove(from)) {
      if (path.startsWith(`${folder}/`)) continue;
      const row = this.#rows[this.#idOf(folder)]!;
      row.targets.add(this.#idOf(target));
      row.outgoing += 1;
    }
    for (const folder of to === undefined ? [] : foldersAbove(path)) {
      if (!from.startsWith(`${folder}/`)) this.#rows[this.#idOf(folder)]!.incoming += 1;
    }
  }

  finish(): Folders {
    const starts = new Uint32Array(this.#rows.length + 1);
    const targets: number[] = [];
    for (const [id, row] of this.#rows.entries()) {
      targets.push(...row.targets);
      starts[id + 1] = targets.length;
    }
    return {
      names: [...this.#ids.keys()],
      links: {
        starts,
        targets: Uint32Array.from(targets),
        flags: new Uint8Array(targets.length).fill(255),
        edges: new Uint32Array(targets.length),
      },
      instability: Float64Array.from(this.#rows, ({ outgoing, incoming }) =>
        outgoing + incoming === 0 ? 0 : outgoing / (outgoing + incoming),
      ),
    };
  }
}

export const foldersOf: (graph: CodeGraph) => Folders = perGraph((graph) => {
  const table = new FolderTable();
  for (const [file, dependencies] of dependenciesOf(graph).entries()) {
    for (const dependency of dependencies) table.add(graph.files.path(file), dependency);
  }
  return table.finish();
});
