import { randomUUID } from "node:crypto";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { fail } from "@waybill/core";
import { planRename } from "../query/index.ts";
import type { Answer, GraphView, RenameEdit, RenameInput } from "../query/index.ts";

interface Draft {
  readonly path: string;
  readonly real: string;
  readonly before: string;
  readonly after: string;
  readonly mode: number;
}

const MAX_FILES = 2_000;

/** Writes all edits of a rename, or none. Refuses if an edit may be missing. */
export async function applyRename(view: GraphView, input: RenameInput): Promise<Answer> {
  const plan = planRename(view, input);
  const { why = [] } = plan.completeness;
  if (plan.completeness.completeness !== "exact") {
    throw fail("CONFLICT", `The rename may be incomplete: ${why.join("; ")}. Nothing is written.`, {
      why,
      outcome: "not_applied",
      hint: "graph_rename shows the edits that are known",
    });
  }
  const drafts = await makeDrafts(view.root, plan.edits);
  await replaceAll(drafts);
  return {
    items: [],
    limit: 0,
    render: () => ({
      renamed: plan.target,
      to: plan.to,
      edits: plan.edits.length,
      files: drafts.map(({ path }) => path),
    }),
  };
}

async function makeDrafts(root: string, edits: readonly RenameEdit[]): Promise<Draft[]> {
  const byPath = new Map<string, RenameEdit[]>();
  for (const edit of edits) byPath.set(edit.path, [...(byPath.get(edit.path) ?? []), edit]);
  if (byPath.size > MAX_FILES) {
    throw fail(
      "VALIDATION",
      `The rename would change ${byPath.size} files, and the limit is ${MAX_FILES}`,
      {
        outcome: "not_applied",
        hint: "Nothing was written. graph_rename lists the edits, so that another program can write them",
      },
    );
  }
  const base = await realpath(root);
  return Promise.all(Array.from(byPath, ([path, own]) => makeDraft(base, path, own)));
}

async function makeDraft(base: string, path: string, edits: readonly RenameEdit[]): Promise<Draft> {
  const real = await realpath(join(base, path));
  if (!real.startsWith(base + sep)) {
    throw fail(
      "POLICY",
      `${path} is a link to a file outside the root, so nothing was written. Rename it there`,
      {
        outcome: "not_applied",
      },
    );
  }
  const before = await readFile(real, "utf8");
  const { mode } = await stat(real);
  return { path, real, before, after: edited(path, before, edits), mode };
}

/** The text with every edit. Throws if the text differs from the plan. */
function edited(path: string, text: string, edits: readonly RenameEdit[]): string {
  const lines = text.split("\n");
  for (const { line, column, old, text: written } of edits.toReversed()) {
    const now = lines[line - 1] ?? "";
    if (!now.startsWith(old, column - 1)) {
      throw fail(
        "CONFLICT",
        `${path}:${line} has changed. Nothing was written; run the rename again.`,
        {
          outcome: "not_applied",
        },
      );
    }
    lines[line - 1] = now.slice(0, column - 1) + written + now.slice(column - 1 + old.length);
  }
  return lines.join("\n");
}

/**
 * Writes all new files to disk before the first one replaces its original. A failure undoes
 * everything.
 */
async function replaceAll(drafts: readonly Draft[]): Promise<void> {
  const mark = randomUUID();
  const draftPath = (real: string): string => join(dirname(real), `.${basename(real)}.${mark}`);
  const replaced: Draft[] = [];
  try {
    for (const { real, after, mode } of drafts) await writeWhole(draftPath(real), after, mode);
    for (const draft of drafts) {
      await rename(draftPath(draft.real), draft.real);
      replaced.push(draft);
    }
  } catch (cause) {
    await undo(replaced, draftPath);
    // Temporary files that cannot be removed are ignored. The originals are unchanged.
    await Promise.allSettled(drafts.map(({ real }) => rm(draftPath(real), { force: true })));
    throw fail(
      "POLICY",
      `The files could not be written: ${String(cause)}. Nothing is changed. Make them writable`,
      { outcome: "not_applied" },
      { cause },
    );
  }
}

async function undo(
  replaced: readonly Draft[],
  draftPath: (real: string) => string,
): Promise<void> {
  for (const { real, before, mode } of replaced) {
    await writeWhole(draftPath(real), before, mode);
    await rename(draftPath(real), real);
  }
}

async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
