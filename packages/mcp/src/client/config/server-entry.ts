import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { HttpServer, StdioServer } from "../settings.ts";
import type { References } from "./references.ts";

function stringList(value: unknown, what: string): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw fail("VALIDATION", `${what} must be a list of strings`);
}

function stringEntries(value: unknown, what: string): [string, string][] {
  if (value === undefined) return [];
  const entries = isRecord(value) ? Object.entries(value) : undefined;
  if (entries === undefined || entries.some(([, one]) => typeof one === "object")) {
    throw fail("VALIDATION", `${what} must be an object of strings`);
  }
  return entries.map(([name, one]) => [name, String(one)]);
}

function rewritten(entries: [string, string][], references: References): Record<string, string> {
  return Object.fromEntries(entries.map(([name, text]) => [name, references.rewrite(text)]));
}

function stdioServer(entry: Record<string, unknown>, references: References): StdioServer {
  const env = rewritten(stringEntries(entry["env"], "env"), references);
  const { cwd } = entry;
  return {
    command: references.rewrite(String(entry["command"])),
    args: stringList(entry["args"], "args").map((arg) => references.rewrite(arg)),
    ...(Object.keys(env).length > 0 && { env }),
    ...(typeof cwd === "string" && { cwd: references.rewrite(cwd) }),
  };
}

function httpServer(entry: Record<string, unknown>, references: References): HttpServer {
  const headers = rewritten(stringEntries(entry["headers"], "headers"), references);
  const url = references.rewrite(String(entry["url"] ?? entry["serverUrl"]));
  return { url, ...(Object.keys(headers).length > 0 && { headers }) };
}

/** Converts one server of a configuration file to settings of Waybill. */
export function readServer(entry: unknown, references: References): StdioServer | HttpServer {
  if (!isRecord(entry)) throw fail("VALIDATION", "it must be an object");
  if (entry["type"] === "sse") {
    throw fail("VALIDATION", "the older HTTP+SSE transport is not supported; use its /mcp address");
  }
  if (typeof entry["command"] === "string") return stdioServer(entry, references);
  if (typeof (entry["url"] ?? entry["serverUrl"]) === "string")
    return httpServer(entry, references);
  throw fail("VALIDATION", 'it has neither a command nor a url; add "command" or "url"');
}
