import { closeSync, mkdirSync, openSync } from "node:fs";
import { mkdtemp, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { OpenCodeGraph } from "../build/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import type { ChangedFile } from "../query/index.ts";
import { indexStamp } from "../git/read-git-files.ts";
import type { GitRun } from "../git/run.ts";
import { readRevision } from "./git-changes.ts";
import { catFiles, listIndex, listTree } from "./git-tree.ts";
import type { TreeEntry } from "./git-tree.ts";

const MAX_KEPT = 4;
const kept = new Map<string, Promise<CodeGraph>>();

/** A state of the files in git: a commit or the index. */
interface KeptState {
  /** Identifies the state. */
  readonly key: string;
  /** The revision that `compare` compares the disk with. */
  readonly since: string;
  list(): Promise<TreeEntry[]>;
}

/** `working` is compared with the index; everything else with a commit. */
async function revisionState(since: string, run: GitRun): Promise<KeptState> {
  if (since === "working") {
    return { key: `index ${indexStamp(run.cwd)}`, since, list: () => listIndex(run) };
  }
  const rev = await readRevision(since === "staged" ? "HEAD" : since, run);
  return { key: rev, since: rev, list: () => listTree(rev, run) };
}

/** Finds the changes between a commit or the index and the disk. */
type Compare = (since: string, signal?: AbortSignal) => Promise<readonly ChangedFile[]>;

/** The graph of an earlier state, built from the current graph and git's list of changes. */
export async function graphAtRevision(
  opened: OpenCodeGraph,
  since: string,
  compare: Compare,
  signal?: AbortSignal,
): Promise<CodeGraph> {
  const { root } = opened;
  const state = await revisionState(since, { cwd: root, ...(signal && { signal }) });
  const key = [root, state.key, ...opened.graph.info.exotic].join("\0");
  const known = kept.get(key);
  if (known !== undefined) return known;
  const building = build(opened, state, await compare(state.since, signal), signal);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, building);
  building.catch(() => kept.delete(key));
  return building;
}

/**
 * Configuration files determine how names resolve, so they are read even if they did not change.
 */
const CONFIGURATION = /\.(?:jsonc?|ya?ml|mod|work)$|\.config\.[cm]?[jt]s$/u;
/** Files that are read if they changed. Other files only have to exist. */
const READ =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|go|html|mdx|toml|sh)$|(?:^|\/)(?:\.[\w.-]+rc|(?:Docker|Make|Proc)file)$/u;

function isInFolder(folder: string): (place: string) => boolean {
  return (place) => place.startsWith(folder + sep);
}

async function writeInto(folder: string, path: string, content: Uint8Array): Promise<void> {
  const place = join(folder, path);
  if (!isInFolder(folder)(place)) return;
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, content);
}

/** The number of files after which other work gets a turn. */
const AT_ONCE = 64;

/**
 * Writes empty files of these names. Synchronous writes need half the processor time of
 * asynchronous ones, and there are as many files as in the tree.
 */
async function writeEmpty(folder: string, entries: readonly TreeEntry[]): Promise<void> {
  const places = entries.map(({ path }) => join(folder, path)).filter(isInFolder(folder));
  for (const each of new Set(places.map((place) => dirname(place)))) {
    mkdirSync(each, { recursive: true });
  }
  for (let at = 0; at < places.length; at += AT_ONCE) {
    for (const place of places.slice(at, at + AT_ONCE)) closeSync(openSync(place, "w"));
    await setImmediate();
  }
}

/** Installed packages are used as they are now, even if git tracks them. */
function isInstalledPath({ path }: TreeEntry): boolean {
  return path === "node_modules" || path.startsWith("node_modules/");
}

async function build(
  opened: OpenCodeGraph,
  state: KeptState,
  changed: readonly ChangedFile[],
  signal?: AbortSignal,
): Promise<CodeGraph> {
  const others = new Set(changed.flatMap(({ path, from }) => [path, from ?? path]));
  if (others.size === 0 && opened.graph.info.phase === "symbols") return opened.graph;
  const run = { cwd: opened.root, ...(signal && { signal }) };
  const folder = await realpath(await mkdtemp(join(tmpdir(), "waybill-graph-")));
  try {
    const entries = (await state.list()).filter((entry) => !isInstalledPath(entry));
    const isRead = ({ path }: TreeEntry): boolean =>
      CONFIGURATION.test(path) || (others.has(path) && READ.test(path));
    await writeEmpty(
      folder,
      entries.filter((entry) => !isRead(entry)),
    );
    for await (const { path, content } of catFiles(entries.filter(isRead), run)) {
      await writeInto(folder, path, content);
    }
    await symlink(join(opened.root, "node_modules"), join(folder, "node_modules"), "dir");
    return await opened.graphOf({
      folder,
      paths: entries.map(({ path }) => path),
      isSame: (path) => !others.has(path),
      ...(signal && { signal }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
