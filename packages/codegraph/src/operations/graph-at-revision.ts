import { mkdtemp, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { openCodeGraph } from "../build/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import { revisionOf } from "./git-changes.ts";
import { catFiles, listTree } from "./git-tree.ts";
import type { TreeEntry } from "./git-tree.ts";

const MAX_KEPT = 4;
const kept = new Map<string, Promise<CodeGraph>>();

/** Of `staged` and `working` the other side is the last commit. */
function revisionName(since: string): string {
  return since === "staged" || since === "working" ? "HEAD" : since;
}

/** The graph of the files as they were, read from git into a folder that is removed again. */
export async function graphAtRevision(
  root: string,
  since: string,
  signal?: AbortSignal,
): Promise<CodeGraph> {
  const run = { cwd: root, ...(signal && { signal }) };
  const rev = await revisionOf(revisionName(since), run);
  const key = `${root}\0${rev}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const building = build(root, rev, signal);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, building);
  building.catch(() => kept.delete(key));
  return building;
}

/** Of other files it matters only that they are there. */
const READ = /\.(?:[cm]?[jt]sx?|json|vue|svelte|astro|pyi?|go|mod|work)$|(?:^|\/)\.gitignore$/u;

async function writeInto(folder: string, path: string, content: Uint8Array): Promise<void> {
  const place = join(folder, path);
  if (!place.startsWith(folder + sep)) return;
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, content);
}

async function build(root: string, rev: string, signal?: AbortSignal): Promise<CodeGraph> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "waybill-graph-")));
  try {
    const run = { cwd: root, ...(signal && { signal }) };
    const isRead = ({ path }: TreeEntry): boolean => READ.test(path);
    const entries = await listTree(rev, run);
    for (const { path } of entries.filter((entry) => !isRead(entry))) {
      await writeInto(folder, path, new Uint8Array());
    }
    for await (const { path, content } of catFiles(entries.filter(isRead), run)) {
      await writeInto(folder, path, content);
    }
    const opened = await openCodeGraph({ root: folder, ...(signal && { signal }) });
    await opened.ready;
    await opened.close();
    return opened.graph;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
