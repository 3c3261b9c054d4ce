import { isRecord } from "@waybill/core";
import { UsageError } from "../usage-error.ts";

/** One file's part of a set-up: what it looks like with and without it. */
export interface Piece {
  readonly path: string;
  /** The text with the part in it. Throws where the file is broken or holds something else there. */
  add(before: string | undefined): string;
  /** The text without the part; undefined when nothing else is left and the file goes. */
  remove(before: string): string | undefined;
  /** Whether something of it stays on removal, since a user made it their own. */
  readonly keepsOwn?: (text: string) => boolean;
  /** How the file says that the server is started, where it is a file that does. */
  readonly server?: (text: string) => ServerEntry | undefined;
}

/** A server as agents' programs have it in their files. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The entry if it can be started; what else stands in it is its program's business. */
export function entryOf(value: unknown): ServerEntry | undefined {
  if (!isRecord(value) || !isText(value["command"])) return undefined;
  const { command, args, env } = value;
  const texts = Object.entries(isRecord(env) ? env : {}).filter(([, text]) => isText(text));
  return {
    command,
    args: Array.isArray(args) ? args.filter(isText) : [],
    env: Object.fromEntries(texts) as Record<string, string>,
  };
}

/** As it is written here, or with whole envelopes. */
export function isOurs(entry: unknown): boolean {
  const text = JSON.stringify(entry);
  return [SERVER, WHOLE_SERVER].some((own) => JSON.stringify(own) === text);
}

/** With what a user added, such as variables or more arguments, it is still this server. */
export function startsWaybill(entry: unknown): boolean {
  if (!isRecord(entry) || entry["command"] !== SERVER.command) return false;
  const args = entry["args"];
  return Array.isArray(args) && WHOLE_SERVER.args.every((word, at) => args[at] === word);
}

/** A file that cannot be changed safely is left as it is. */
export function refuseFile(path: string, why: string, hint: string): UsageError {
  return new UsageError(`${path} ${why}; it was left as it is`, { hint });
}

/** Without `--brief`, as a user may want it, and as it was written once. */
const WHOLE_SERVER = { command: "waybill", args: ["serve", "mcp"] } as const;
/** How an agent's program starts Waybill: a model reads the answers, and pays for each word. */
export const SERVER = { command: "waybill", args: ["serve", "mcp", "--brief"] } as const;
export const SERVER_NAME = "waybill";
