import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { fail } from "@waybill/core";
import { loadChecker } from "@waybill/core/schema";
import type { CompiledSchema } from "@waybill/core/schema";
import { makeFolder, takeLock, writeWhole } from "@waybill/state/files";
import type { HeldLock } from "@waybill/state/files";
import { readOwnFile } from "../settings/index.ts";
import { AnnotationsSchema, NO_ANNOTATIONS } from "./annotation.ts";
import type { Annotations } from "./annotation.ts";

export const ANNOTATIONS_FILE = ".waybill/graph/annotations.json";

let compiled: CompiledSchema | undefined;

function broken(why: string): Error {
  return fail("VALIDATION", `${ANNOTATIONS_FILE} cannot be used: ${why}`, {
    outcome: "not_applied",
    hint: `Fix or remove ${ANNOTATIONS_FILE}; it was not changed`,
  });
}

async function parseAnnotations(text: string): Promise<Annotations> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(error instanceof Error ? error.message : String(error));
  }
  compiled ??= (await loadChecker()).compile(AnnotationsSchema);
  if (!compiled.check(value)) {
    const [issue] = compiled.issues(value);
    throw broken(`${issue?.path ?? ""} ${issue?.message ?? "is not valid"}`.trim());
  }
  const { edges, entrypoints, ignores } = value as Partial<Annotations>;
  return { edges: edges ?? [], entrypoints: entrypoints ?? [], ignores: ignores ?? [] };
}

/** Reads the annotations; empty if there is no file. Throws if the file is invalid. */
export async function loadAnnotations(root: string): Promise<Annotations> {
  const text = await readOwnFile(root, ANNOTATIONS_FILE);
  return text === undefined ? NO_ANNOTATIONS : parseAnnotations(text);
}

/** The error for a failed write. Nothing was written. */
function unwritable(path: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return fail(
    "VALIDATION",
    `${path} cannot be written: ${why}`,
    {
      outcome: "not_applied",
      hint: `Make ${dirname(ANNOTATIONS_FILE)} a folder that can be written to`,
    },
    { cause },
  );
}

/** Refuses a symbolic link in place of the folder, because it could redirect the write. */
async function ownFolder(root: string): Promise<string> {
  const folder = join(root, dirname(ANNOTATIONS_FILE));
  try {
    await makeFolder(folder);
  } catch (error) {
    throw unwritable(dirname(ANNOTATIONS_FILE), error);
  }
  const [real, base] = await Promise.all([realpath(folder), realpath(root)]);
  if (real.startsWith(base + sep)) return real;
  throw fail(
    "POLICY",
    `${dirname(ANNOTATIONS_FILE)} is a link to a folder outside the root. Replace it with a folder`,
    {
      outcome: "not_applied",
    },
  );
}

async function replace(path: string, annotations: Annotations): Promise<void> {
  try {
    await writeWhole(path, `${JSON.stringify({ version: 1, ...annotations }, null, 2)}\n`);
  } catch (error) {
    throw unwritable(ANNOTATIONS_FILE, error);
  }
}

/** Takes the lock. Fails if the folder is not writable. */
async function lock(path: string): Promise<HeldLock> {
  const held = await takeLock(path).catch((error: unknown) => {
    throw unwritable(ANNOTATIONS_FILE, error);
  });
  if (held !== undefined) return held;
  throw fail("NOT_READY", "Another process is writing the annotations; try again");
}

/** Reads, changes and replaces the file in one step, safe against concurrent writers. */
export async function changeAnnotations<T>(
  root: string,
  change: (annotations: Annotations) => { readonly changed: Annotations; readonly result: T },
): Promise<T> {
  const folder = await ownFolder(root);
  const held = await lock(join(folder, "annotations.lock"));
  try {
    const { changed, result } = change(await loadAnnotations(root));
    await replace(join(folder, "annotations.json"), changed);
    return result;
  } finally {
    await held.release();
  }
}
