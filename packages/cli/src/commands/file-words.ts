import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { leadsOut } from "@waybill/state/files";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

const MAX_BYTES = 512_000_000;
/** Inputs that are files. For these, Waybill sends the name of the file too. */
const FILE_INPUTS = ["file", "asset"];

type Value = string | object;

function decodedText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function fileValue(key: string, path: string, bytes: Buffer): Value {
  const text = decodedText(bytes);
  const filename = basename(path);
  if (text !== undefined && !FILE_INPUTS.includes(key)) return text;
  return text === undefined ? { base64: bytes.toString("base64"), filename } : { text, filename };
}

/**
 * Replaces `body=@notes.md` by the content of the file. `@me` and `@octo/team` are people, so a
 * value that names no file stays unchanged, except if it looks like a file name.
 */
export async function fileWord(key: string, value: string, { cwd }: Io): Promise<Value> {
  if (value.startsWith("@@")) return value.slice(1);
  if (!/^@\S+$/u.test(value)) return value;
  const name = value.slice(1);
  const path = resolve(cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) {
    if (!FILE_INPUTS.includes(key) && !/\.\w{1,8}$/u.test(name)) return value;
    throw new UsageError(`${key}=${value}: there is no file ${name}`, {
      hint: `Write ${key}=@${value} for a value that begins with @`,
    });
  }
  // A clone can contain a symbolic link named `@alice` that leads to a private file of the user,
  // and `body=@alice` would then send that file.
  if (await leadsOut(resolve(cwd), path)) {
    throw new UsageError(`${key}=${value}: ${name} is a link that leads out of this folder`, {
      hint: `Write ${key}=@${value} for a value that begins with @, or give the path of the file itself`,
    });
  }
  if (found.size > MAX_BYTES)
    throw new UsageError(`${name} has more than ${MAX_BYTES} bytes; pass a smaller file`);
  return fileValue(key, path, await readFile(path));
}
