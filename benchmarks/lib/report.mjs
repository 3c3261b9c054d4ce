// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * One line of a suite's table. `ratio` is a rate compared with the suite's baseline: higher is
 * faster. `met` says whether `target` was reached. The value is null if the compared program failed.
 * @typedef {{
 *   name: string,
 *   value: number | null,
 *   unit: string,
 *   ratio?: number,
 *   target?: string,
 *   met?: boolean,
 * }} Row
 *
 * @typedef {{ title: string, rows: Row[], notes: string[] }} Report
 *
 * What a file in `suites/` exports.
 * @typedef {{
 *   title: string,
 *   run: (options: { quick: boolean, repos: string[] }) => Promise<{ rows: Row[], notes?: string[] }>,
 * }} Suite
 */

export const benchmarks = fileURLToPath(new URL("..", import.meta.url));
export const resultsFile = join(benchmarks, "RESULTS.md");
const NO_BREAK = "\u00a0";

/** The exact version of a compared package. @param {string} name */
export function installedVersion(name) {
  const text = readFileSync(join(benchmarks, "package.json"), "utf8");
  const manifest = /** @type {{ dependencies: Record<string, string> }} */ (JSON.parse(text));
  return manifest.dependencies[name];
}

/** @param {number} value */
function figure(value) {
  if (value !== 0 && Math.abs(value) < 0.0995) return value.toPrecision(2);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** @param {Row} row */
function cells({ name, value, unit, ratio, target, met }) {
  return [
    name,
    value === null ? "none" : `${figure(value)}${NO_BREAK}${unit}`,
    ratio === undefined ? "" : figure(ratio),
    target ?? "",
    met === undefined ? "" : met ? "yes" : "**no**",
  ];
}

/**
 * A Markdown table with aligned columns, as a formatter would write it.
 * @param {readonly string[]} header
 * @param {readonly (readonly string[])[]} body
 * @param {(column: number) => boolean} [isRight] (default: all columns but the first)
 */
export function grid(header, body, isRight = (column) => column > 0) {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...body.map((row) => (row[column] ?? "").length)),
  );
  /** @param {readonly string[]} row */
  const line = (row) => {
    const padded = widths.map((width, column) => {
      const cell = row[column] ?? "";
      return isRight(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) =>
    isRight(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [line(header), line(rule), ...body.map(line)].join("\n");
}

/** The rows of a suite, without empty columns. @param {Row[]} rows */
export function table(rows) {
  const header = ["", "measured", "of baseline", "target", "met"];
  const isRight = [false, true, true, false, false];
  const body = rows.map(cells);
  const columns = header
    .map((_, column) => column)
    .filter((column) => column === 0 || body.some((row) => row[column] !== ""));
  /** @param {string[]} row */
  const kept = (row) => columns.map((column) => row[column] ?? "");
  return grid(kept(header), body.map(kept), (column) => isRight[columns[column] ?? 0] ?? false);
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: benchmarks, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * The files that affect the plays of `agent/`, as `circumstances` needs them. Records are not code.
 */
export const AGENT_SOURCES = ["agent", ":!agent/trajectories"];

/**
 * When, where and on which code figures are measured. Call this before measuring. `sources` are the
 * files whose changes count besides the packages.
 * @param {readonly string[]} sources
 */
export function circumstances(sources = ["suites"]) {
  const commit = git("rev-parse", "--short", "HEAD") ?? "unknown";
  const paths = ["../packages", "../package-lock.json", "lib", ...sources];
  const isChanged = git("status", "--porcelain", "--", ...paths) !== "";
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return [
    new Date().toISOString().slice(0, 10),
    `Node ${process.versions.node}`,
    `${availableParallelism()} CPUs (${model})`,
    `commit ${commit}${isChanged ? " with uncommitted changes" : ""}`,
  ].join(" · ");
}

/** Replaces the suite's own section of RESULTS.md, or adds it. @param {string} suite @param {Report} report */
export function writeResults(suite, { title, rows, notes }) {
  const parts = [`## ${title}`, circumstances(), table(rows)];
  if (notes.length > 0) parts.push(notes.map((note) => `- ${note}`).join("\n"));
  writeSection(suite, parts);
}

/** Replaces a section of RESULTS.md, or adds it. @param {string} name @param {string[]} parts */
export function writeSection(name, parts) {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const section = [start, ...parts, end].join("\n\n");
  const text = existsSync(resultsFile) ? readFileSync(resultsFile, "utf8") : "# Results\n";
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  const isThere = from >= 0 && to > from;
  writeFileSync(
    resultsFile,
    isThere
      ? text.slice(0, from) + section + text.slice(to + end.length)
      : `${text.trimEnd()}\n\n${section}\n`,
  );
}
