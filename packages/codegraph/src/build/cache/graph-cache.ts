import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { decodeGraph, encodeGraph } from "../../graph/index.ts";
import type { CodeGraph, SavedGraph } from "../../graph/index.ts";
import { codeVersion } from "./code-version.ts";
import { decodeFiles, encodeFiles } from "./saved-files.ts";
import type { SavedFiles } from "./saved-files.ts";
import { CacheStore } from "./store.ts";

const GRAPH = "graph.bin";
const FILES = "files.bin";

/**
 * Identifies the folder on this machine. A clone can contain a saved graph from somebody else, and
 * that graph could hide callers.
 */
function folderStamp(root: string): string {
  const found = statSync(root, { throwIfNoEntry: false });
  return `${found?.ino} ${found?.birthtimeMs}`;
}

/** A graph that is saved on disk, with everything that is needed to update it. */
export class GraphCache {
  readonly #store: CacheStore;
  readonly #version: string;
  #note: string | undefined;

  constructor(root: string, version: string = codeVersion()) {
    this.#store = new CacheStore(root);
    this.#version = `${version} ${folderStamp(root)}`;
  }

  /** Why the saved graph is not used, or why it is not saved. */
  get note(): string | undefined {
    return this.#note;
  }

  load(): SavedGraph | undefined {
    const bytes = this.#store.read(GRAPH);
    const saved = bytes && decodeGraph(bytes, this.#version);
    if (bytes && !saved) {
      this.#note =
        "the saved graph was damaged, or was made by another version or in another folder, so it was built again";
    }
    return saved;
  }

  loadFiles({ buildId }: SavedGraph): SavedFiles | undefined {
    const bytes = this.#store.read(FILES);
    const files = bytes && decodeFiles(bytes, buildId, this.#version);
    if (!files)
      this.#note = "the saved data of the files was damaged, so the graph was built again";
    return files;
  }

  save(graph: CodeGraph, saved: SavedFiles): void {
    const buildId = randomUUID();
    const mtimes = Float64Array.from(saved.files, ({ mtimeMs }) => mtimeMs);
    const isSaved = this.#store.write({
      [FILES]: encodeFiles(saved, buildId, this.#version),
      [GRAPH]: encodeGraph({ graph, buildId, mtimes }, this.#version),
    });
    if (!isSaved) this.#note = "the graph could not be saved; the next start builds it again";
  }
}
