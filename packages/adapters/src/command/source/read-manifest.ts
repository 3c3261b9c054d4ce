import { fail } from "@waybill/core";
import { readPlainFile } from "@waybill/state/files";

const MAX_BYTES = 1_000_000;
const MAX_ALIASES = 50;

function manifestError(path: string, why: string, cause?: unknown): Error {
  return fail("VALIDATION", `${path}: ${why}`, { outcome: "not_applied" }, { cause });
}

async function readManifestText(path: string): Promise<string> {
  try {
    return String(await readPlainFile(path, MAX_BYTES));
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
    if (code === "ENOENT")
      throw manifestError(path, "there is no such file; check the path", cause);
    throw manifestError(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** Reads a manifest from a YAML or JSON file. The content is checked when the manifest is used. */
export async function readManifest(path: string): Promise<unknown> {
  const text = await readManifestText(path);
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = problem.linePos?.[0].line ?? 1;
    throw manifestError(path, `line ${line}: ${problem.message.split("\n", 1)[0]}`, problem);
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (cause) {
    const { message } = cause as Error;
    const isUnresolved = message.startsWith("Unresolved");
    const why = isUnresolved ? message : "has too many YAML aliases; write the repeated parts out";
    throw manifestError(path, why, cause);
  }
}
