import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../run.mjs";
import { findMutants, isReadable } from "./find-mutants.ts";
import type { Mutant } from "./find-mutants.ts";

const SOURCE = /\.tsx?$/;
const NOT_SOURCE = /\.test(?:-d)?\.tsx?$|\.d\.ts$|(?:^|\/)(?:fixtures|generated|__snapshots__)\//;

export interface Choice {
  /** Paths relative to the repository. */
  readonly files: readonly string[];
  readonly found: number;
  readonly chosen: readonly Mutant[];
}

/**
 * The mutants of a target, at most `count`. They are sorted by a hash of the seed and the mutant,
 * so that the same seed selects the same mutants of unchanged code.
 */
export function chooseMutants(target: string, count: number, seed: number): Choice {
  const { path, line } = readTarget(target);
  const files = sourceFiles(path);
  const all = files
    .flatMap((file) => findMutants(file, readSource(file)))
    .filter((mutant) => line === undefined || mutant.line === line);
  return { files, found: all.length, chosen: sample(all, count, seed) };
}

function readSource(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function sample(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const rank = ({ id }: Mutant) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const ranked = all.map((mutant) => ({ mutant, rank: rank(mutant) }));
  const chosen: Mutant[] = [];
  for (const { mutant } of ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1))) {
    if (chosen.length === count) break;
    if (isReadable(mutant, readSource(mutant.file))) chosen.push(mutant);
  }
  return chosen.toSorted((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}

/** Reads `core`, `core/router`, `packages/core/src/router` or a file, with `:42` for one line. */
function readTarget(target: string): { path: string; line: number | undefined } {
  const [, name = target, line] = /^(.*?)(?::(\d+))?$/.exec(target) ?? [];
  const [pack = "", ...folders] = name.replace(/^@waybill\//, "").split("/");
  const places = [name, join("packages", pack, "src", ...folders)];
  const path = places.find((place) => existsSync(join(root, place)));
  if (path === undefined) {
    throw new Error(
      `There is no ${places.join(" and no ")}. Name a package, a folder or a file, such as core/router.`,
    );
  }
  return { path, line: line === undefined ? undefined : Number(line) };
}

function sourceFiles(path: string): string[] {
  const start = join(root, path);
  const names = statSync(start).isFile()
    ? [start]
    : readdirSync(start, { recursive: true, encoding: "utf8" }).map((name) => join(start, name));
  const files = names
    .map((name) => relative(root, name).replaceAll("\\", "/"))
    .filter((name) => SOURCE.test(name) && !NOT_SOURCE.test(name));
  if (files.length === 0) throw new Error(`There is no source file in ${path}.`);
  return files.toSorted();
}
