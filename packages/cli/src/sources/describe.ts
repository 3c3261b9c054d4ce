import { outsideText } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { Collision } from "@waybill/core";
import { nameProblem } from "@waybill/state";
import type { SourceConfig } from "@waybill/state";
import { UsageError } from "../words/usage-error.ts";

function rawAddress(config: SourceConfig): string {
  switch (config.kind) {
    case "cards":
      return config.folder;
    case "openapi":
      return config.document;
    case "mcp":
      return config.url ?? [config.command, ...(config.args ?? [])].join(" ");
    case "graphql":
    case "nats":
      return [config.url].flat().join(", ");
    case "command":
      return config.manifest;
  }
}

const MAX_ADDRESS = 500;

/**
 * The address of a source on one line. Without this, a project's file could forge further lines of
 * output, or hide part of the address with invisible characters.
 */
export function sourceAddress(config: SourceConfig): string {
  return outsideText(rawAddress(config), MAX_ADDRESS).replaceAll(/\s+/gu, " ");
}

const MAX_NAME = 24;

function plainWords(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/\.(?:json|ya?ml|graphql|mjs|cjs|js|ts|py)$/, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
  return name.slice(0, MAX_NAME).replace(/-+$/, "");
}

/** The name of a host without its prefix and domain: `api.shop.example` becomes `shop`. */
function hostName(host: string): string {
  const parts = host.split(".").filter((part) => !["www", "api", "mcp", "graphql"].includes(part));
  return parts.length > 1 ? parts[parts.length - 2]! : (parts[0] ?? host);
}

/** The word that identifies a program: the package, the script, or the program itself. */
function programName(words: readonly string[]): string {
  const runners = new Set([
    "npx",
    "bunx",
    "uvx",
    "node",
    "deno",
    "python",
    "python3",
    "pnpm",
    "dlx",
  ]);
  const isWord = (word: string): boolean => !word.startsWith("-") && !runners.has(word);
  const word = words.find(isWord) ?? words[0] ?? "";
  const last = word.split("/").at(-1) ?? word;
  return last.replace(/@[^@]*$/, "").replace(/^(?:mcp-)?server-|-mcp(?:-server)?$/, "");
}

/** Suggests a name for the source. */
export function suggestName(config: SourceConfig): string {
  const place = sourceAddress(config);
  const service = config.kind === "nats" ? plainWords(new URL(place).pathname) : "";
  if (service !== "") return service;
  const words = config.kind === "mcp" && config.command !== undefined ? place.split(" ") : [];
  const host = URL.canParse(place) && words.length === 0 ? new URL(place).hostname : undefined;
  const raw =
    host === undefined ? programName(words.length === 0 ? [place] : words) : hostName(host);
  const name = plainWords(raw);
  if (name !== "") return name;
  throw new UsageError("The source needs a name: --name NAME");
}

export function checkName(name: string): string {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(problem, { hint: "--name NAME" });
  if (/^[A-Za-z][\w-]*$/.test(name)) return name;
  throw new UsageError(`A name consists of letters, digits, - and _, not ${JSON.stringify(name)}`, {
    hint: "--name shop",
  });
}

/** The message of any thrown value. */
export function whyNot(error: unknown): string {
  if (error instanceof Error) return error.message;
  return isRecord(error) ? String(error["message"]) : String(error);
}

/** The message for a card that cannot be called here. The missing requirements follow it. */
export const NO_ROUTE = "none of its routes is configured";

/** Explains that an operation got a new name, because another source already has its id. */
export function collisionText({ id, as, holder }: Collision): string {
  return `${id} is available as ${as}, because ${holder} already has that id`;
}

export function operationCount(operations: number): string {
  return operations === 1 ? "1 operation" : `${operations} operations`;
}
