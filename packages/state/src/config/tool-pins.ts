import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { outsideText } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { Environment } from "./find-config.ts";
import type { SourceConfig } from "./source-config.ts";
import { entryDigest, trustFolder, wherever, writeRecord } from "./trust.ts";

/** The parts of a tool that an agent reads. */
export interface SeenTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly hints: object;
}

/** The tools of one MCP server, as they were when the user trusted it. */
export interface ToolPins {
  /**
   * Compares tools with the recorded ones. Returns the differences by the tool's name. The first
   * call records all tools.
   */
  compare(tools: readonly SeenTool[]): Promise<ReadonlyMap<string, string>>;
  /** Deletes the recorded tools. The next comparison records them again. */
  forget(): Promise<void>;
}

export interface ToolPinsOptions {
  readonly env: Environment;
  /** The file in which the source is configured. */
  readonly path: string;
  readonly name: string;
  readonly source: SourceConfig;
}

/** Each part of a tool as text, for comparing and showing. */
type Pin = Readonly<Record<"description" | "hints" | "input" | "output", string>>;

interface Pins {
  readonly version: 1;
  /** Identifies the server by its program or address. */
  readonly entry: string;
  readonly tools: Readonly<Record<string, Pin>>;
}

const MAX_SHOWN = 200;

function getPin({ description, hints, inputSchema, outputSchema }: SeenTool): Pin {
  return {
    description,
    hints: JSON.stringify(hints),
    input: JSON.stringify(inputSchema ?? null),
    output: JSON.stringify(outputSchema ?? null),
  };
}

function shownText(text: string): string {
  return JSON.stringify(outsideText(text, MAX_SHOWN));
}

function declaredInputs(schema: string): string[] {
  const value: unknown = JSON.parse(schema);
  const properties = isRecord(value) ? value["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** Names the inputs that were added and removed, if those are the only change. */
function schemaChange(what: string, before: string, now: string): string {
  const [old, current] = [declaredInputs(before), declaredInputs(now)];
  const added = current.filter((name) => !old.includes(name)).map((name) => `+${name}`);
  const removed = old.filter((name) => !current.includes(name)).map((name) => `-${name}`);
  const names = [...added, ...removed].map((name) => outsideText(name, MAX_SHOWN)).join(", ");
  return `its ${what} schema changed${names === "" ? "" : ` (${names})`}`;
}

/** The difference in one sentence; undefined if there is none. */
function difference(before: Pin | undefined, now: Pin): string | undefined {
  if (before === undefined) return "it is new";
  const changes = [
    before.description === now.description
      ? []
      : [
          `its description was ${shownText(before.description)} and is ${shownText(now.description)}`,
        ],
    before.input === now.input ? [] : [schemaChange("input", before.input, now.input)],
    before.output === now.output ? [] : [schemaChange("output", before.output, now.output)],
    before.hints === now.hints ? [] : [`its hints changed from ${before.hints} to ${now.hints}`],
  ].flat();
  return changes.length === 0 ? undefined : changes.join("; ");
}

async function readPins(path: string, entry: string): Promise<Pins | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    const isOurs = isRecord(value) && value["version"] === 1 && value["entry"] === entry;
    return isOurs ? (value as unknown as Pins) : undefined;
  } catch {
    return undefined;
  }
}

/** Stored beside the trust records, because no configuration can place a file there. */
export function openToolPins({ env, path, name, source }: ToolPinsOptions): ToolPins {
  const entry = entryDigest(source);
  const file = async (): Promise<string> => {
    const key = `${await wherever(path)}\n${name}`;
    return join(trustFolder(env), `tools-${createHash("sha256").update(key).digest("hex")}`);
  };
  return {
    async compare(tools) {
      const place = await file();
      const known = await readPins(place, entry);
      const pins = new Map(tools.map((tool) => [tool.name, getPin(tool)]));
      if (known === undefined) {
        const first: Pins = { version: 1, entry, tools: Object.fromEntries(pins) };
        // If the record cannot be written, tools are not compared, and calls continue.
        await writeRecord(place, first).catch(() => {});
        return new Map();
      }
      const changes = [...pins].map(([tool, pin]) => {
        const before = Object.hasOwn(known.tools, tool) ? known.tools[tool] : undefined;
        return [tool, difference(before, pin)] as const;
      });
      return new Map(changes.flatMap(([tool, what]) => (what === undefined ? [] : [[tool, what]])));
    },
    forget: async () => rm(await file(), { force: true }),
  };
}
