import { outsideText } from "@waybill/core/cards";
import { toJson } from "@waybill/core/schema";
import type { Connection } from "../connect.ts";
import { findRaw } from "../wire/stand-in.ts";
import { readTool } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** The tools of a server. */
export interface ToolList {
  readonly tools: readonly Tool[];
  /** Listed tools that cannot be used. */
  readonly problems: readonly string[];
  /** Whether the server sends notifications about resources or logs (default: false). */
  readonly notifies?: boolean;
}

const MAX_PROBLEMS = 100;
const MAX_WORDS = 60;

function namelessProblem(raw: Record<string, unknown> | undefined, place: number): string {
  const what = `tool ${place + 1} of its list`;
  if (raw === undefined) return `${what} is not an object`;
  const said = [raw["title"], raw["description"]].find((text) => typeof text === "string");
  const words = typeof said === "string" ? ` ("${outsideText(said).slice(0, MAX_WORDS)}")` : "";
  return `${what} needs a string as its name${words}`;
}

/** Whether a value is not nested too deeply. Reading a deeper value would exhaust the stack. */
function isNotTooDeep(raw: unknown): boolean {
  try {
    toJson(raw);
    return true;
  } catch {
    return false;
  }
}

function toolProblem(raw: Record<string, unknown> | undefined, place: number): string {
  if (isNotTooDeep(raw)) return namelessProblem(raw, place);
  return `tool ${place + 1} of its list nests too deeply`;
}

function doubleProblems(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(
      ([name, count]) =>
        `${JSON.stringify(outsideText(name).slice(0, MAX_WORDS))} is listed ${count} times; only the last is offered`,
    );
}

/**
 * Lists all tools of a server by name. The SDK reads the pages and drops tools with impossible
 * headers, as the protocol requires. The other tools are used in the form that the server sent.
 */
export async function listTools({ client }: Connection, timeout: number): Promise<ToolList> {
  const { tools: hasTools, logging, resources } = client.getServerCapabilities() ?? {};
  const notifies = logging !== undefined || resources?.subscribe === true;
  if (hasTools === undefined) return { tools: [], problems: [], notifies };
  const { tools } = await client.listTools(undefined, { timeout, cacheMode: "bypass" });
  const read: Tool[] = [];
  const unusable: string[] = [];
  for (const [place, standIn] of tools.entries()) {
    const raw = findRaw(standIn);
    const tool = isNotTooDeep(raw) ? readTool(raw) : undefined;
    if (tool === undefined) unusable.push(toolProblem(raw, place));
    else read.push(tool);
  }
  const byName = new Map(read.map((tool) => [tool.name, tool]));
  const problems = [...unusable, ...doubleProblems(read.map(({ name }) => name))];
  return {
    tools: [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    problems: problems.slice(0, MAX_PROBLEMS),
    notifies,
  };
}
