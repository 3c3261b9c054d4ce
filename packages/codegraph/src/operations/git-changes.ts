import { fail } from "@waybill/core";
import { headRev } from "../git/read-git-files.ts";
import { runGit, splitZero } from "../git/run.ts";
import type { GitRun } from "../git/run.ts";
import type { ChangedFile } from "../query/index.ts";

const STATUSES: Readonly<Record<string, ChangedFile["status"]>> = {
  A: "added",
  M: "modified",
  T: "modified",
  D: "deleted",
  R: "renamed",
  C: "added",
};
const SAFE_DIFF = [
  "--no-ext-diff",
  "--no-textconv",
  "--submodule=short",
  "--no-color",
  "--find-renames",
  "--relative",
];
const HUNK = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/u;

function unknownRevision(since: string): Error {
  return fail(
    "NOT_FOUND",
    `git does not know the revision ${JSON.stringify(since.slice(0, 100))} here`,
    {
      hint: "Pass a commit, branch or tag such as HEAD~1, or staged or working",
    },
  );
}

/** Revisions that always mean the same commit while the checkout does not change. */
const FIXED = /^(?:HEAD[~^\d]*|@[~^\d]*|[0-9a-f]{40}|[0-9a-f]{64})$/u;
const MAX_KNOWN = 256;
const known = new Map<string, string>();

/** Cached, because starting git takes longer than most answers. */
export async function readRevision(since: string, run: GitRun): Promise<string> {
  const head = FIXED.test(since) ? await headRev(run) : undefined;
  if (head === undefined) return askedRevision(since, run);
  if (since === "HEAD") return head;
  const key = `${run.cwd}\0${head}\0${since}`;
  const rev = known.get(key) ?? (await askedRevision(since, run));
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, rev);
  return rev;
}

/**
 * The common ancestor of this branch and a revision, so that later commits on `main` do not count
 * as changes of this branch. The revision is passed to git as an argument, so it must not look like
 * an option.
 */
async function askedRevision(since: string, run: GitRun): Promise<string> {
  if (since.startsWith("-") || /[\s\0]/u.test(since)) throw unknownRevision(since);
  const commit = `${since}^{commit}`;
  const [rev, common] = await Promise.all([
    runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", commit], run),
    runGit(["merge-base", "--end-of-options", commit, "HEAD"], run),
  ]);
  const found = (common ?? rev)?.trim();
  if (rev === undefined || found === undefined || found === "") throw unknownRevision(since);
  return found;
}

async function diffArguments(since: string, run: GitRun): Promise<string[]> {
  if (since === "working") return [];
  if (since === "staged") return ["--cached"];
  return [await readRevision(since, run)];
}

async function diff(options: readonly string[], run: GitRun): Promise<string> {
  const output = await runGit(["diff", ...SAFE_DIFF, ...options, "--", "."], run);
  if (output !== undefined) return output;
  throw fail("NOT_READY", "git could not compare the files", {
    hint: "Check that this is a git repository. A partial clone lacks files: fetch them with git fetch --refetch",
  });
}

/** Parses `:modes blobs R100 old new`, `:modes blobs M path` and so on, separated by NUL. */
function statusesIn(output: string): Omit<ChangedFile, "lines">[] {
  const parts = splitZero(output);
  const found: Omit<ChangedFile, "lines">[] = [];
  for (let at = 0; at < parts.length;) {
    const letter = parts[at++]!.split(" ").at(-1)![0]!;
    const status = STATUSES[letter] ?? "modified";
    const path = parts[at++] ?? "";
    if (letter !== "R" && letter !== "C") found.push({ path, status });
    else if (letter === "C") found.push({ path: parts[at++] ?? "", status });
    else found.push({ path: parts[at++] ?? "", status, from: path });
  }
  return found;
}

/** The new lines of each file, from a diff without context. */
function linesIn(output: string): Map<string, [number, number][]> {
  const lines = new Map<string, [number, number][]>();
  let ranges: [number, number][] = [];
  for (const line of output.split("\n")) {
    if (line.startsWith("+++ ")) {
      ranges = [];
      lines.set(line.slice(4).replace(/^b\//u, "").replace(/\t$/u, ""), ranges);
    }
    const hunk = HUNK.exec(line);
    if (hunk === null) continue;
    const [first, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    // If lines were only removed, the range is empty, and the lines around it count as changed.
    ranges.push(count === 0 ? [first + 1, first] : [first, first + count - 1]);
  }
  return lines;
}

async function untracked(run: GitRun): Promise<ChangedFile[]> {
  const args = ["ls-files", "-z", "--others", "--exclude-standard", "--", "."];
  const output = await runGit(args, run);
  // A nested repository is listed as a folder and is skipped.
  const paths = splitZero(output ?? "").filter((path) => !path.endsWith("/"));
  return paths.map((path) => ({ path, status: "added", lines: [[1, 1e9]] }));
}

/**
 * The changes between a revision and the disk. For `working`, between the index and the disk; for
 * `staged`, between the last commit and the index.
 */
export async function changedFiles(since: string, run: GitRun): Promise<ChangedFile[]> {
  const options = await diffArguments(since, run);
  const format = ["--raw", "-z", "--patch", "--unified=0", "--src-prefix=a/", "--dst-prefix=b/"];
  const [output, others] = await Promise.all([
    diff([...options, ...format], run),
    since === "staged" ? [] : untracked(run),
  ]);
  // The list of files ends with an empty name. The patch follows.
  const [statuses = "", ...patch] = output.split("\0\0");
  const lines = linesIn(patch.join("\0\0"));
  const tracked = statusesIn(statuses).map((file) => ({
    ...file,
    lines: file.status === "deleted" ? [] : (lines.get(file.path) ?? []),
  }));
  return [...tracked, ...others];
}
