import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, loadChecker } from "@waybill/core";
import type { CompiledSchema } from "@waybill/core";
import { readOwnFile } from "../settings/index.ts";
import { AnnotationsSchema, NO_ANNOTATIONS } from "./annotation.ts";
import type { Annotations } from "./annotation.ts";

export const ANNOTATIONS_FILE = ".waybill/graph/annotations.json";

const LOCK_TRIES = 100;
const LOCK_WAIT_MS = 20;
const LOCK_LIFE_MS = 10_000;

let compiled: CompiledSchema | undefined;

function broken(why: string): Error {
  return fail("VALIDATION", `${ANNOTATIONS_FILE} cannot be used: ${why}`, {
    outcome: "not_applied",
    hint: `Mend or remove ${ANNOTATIONS_FILE}; it was left as it is`,
  });
}

function codeOf(error: unknown): unknown {
  return Reflect.get(Object(error), "code");
}

async function parse(text: string): Promise<Annotations> {
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

/** None where there is no file; an error where there is one that cannot be understood. */
export async function loadAnnotations(root: string): Promise<Annotations> {
  const text = await readOwnFile(root, ANNOTATIONS_FILE);
  return text === undefined ? NO_ANNOTATIONS : parse(text);
}

/** Nothing was written, whatever the disk had against it. */
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

/** A link in place of the folder must not lead the write somewhere else. */
async function ownFolder(root: string): Promise<string> {
  const folder = join(root, dirname(ANNOTATIONS_FILE));
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw unwritable(dirname(ANNOTATIONS_FILE), error);
  }
  const [real, base] = await Promise.all([realpath(folder), realpath(root)]);
  if (real.startsWith(base + sep)) return real;
  throw fail("POLICY", `${dirname(ANNOTATIONS_FILE)} leads out of the root and is not written to`, {
    outcome: "not_applied",
  });
}

async function lock(path: string): Promise<void> {
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    try {
      await (await open(path, "wx")).close();
      return;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw unwritable(ANNOTATIONS_FILE, error);
      await dropStale(path);
      await sleep(LOCK_WAIT_MS);
    }
  }
  throw fail("NOT_READY", "Another process is writing the annotations; try again");
}

/** Whoever made the lock did not live to remove it. */
async function dropStale(path: string): Promise<void> {
  const made = await stat(path).catch(() => undefined);
  if (made !== undefined && Date.now() - made.mtimeMs > LOCK_LIFE_MS)
    await rm(path, { force: true });
}

async function writeDraft(draft: string, annotations: Annotations): Promise<void> {
  const file = await open(draft, "w", 0o644);
  try {
    await file.writeFile(`${JSON.stringify({ version: 1, ...annotations }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function replace(path: string, annotations: Annotations): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  try {
    await writeDraft(draft, annotations);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw unwritable(ANNOTATIONS_FILE, error);
  }
}

/** Reads, changes and replaces the file as one step, whoever else does the same. */
export async function changeAnnotations<T>(
  root: string,
  change: (annotations: Annotations) => { readonly changed: Annotations; readonly result: T },
): Promise<T> {
  const folder = await ownFolder(root);
  const held = join(folder, "annotations.lock");
  await lock(held);
  try {
    const { changed, result } = change(await loadAnnotations(root));
    await replace(join(folder, "annotations.json"), changed);
    return result;
  } finally {
    await rm(held, { force: true });
  }
}
