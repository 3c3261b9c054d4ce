import { isRecord } from "@waybill/core/schema";
import type { GraphToolInfo, GraphTools } from "./tools.ts";

/**
 * Inputs that are left out of the signatures: described once for all questions, or rarely needed
 * and listed in errors.
 */
const UNSAID = /^(?:limit|scope|cursor|maxTokens|(?:include|max|min)[A-Z]\w*|\w+Limit)$/u;
/** Inputs that together give a position. `symbol` can replace them. */
const POSITION = ["path", "line", "column"];
const MOST_VALUES = 3;

function asMembers(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/**
 * An input as text: `action:check|list|suggest`, `direction?:down|up`, `issueIds[]`. Long lists of
 * values are left out.
 */
function inputText(name: string, schema: unknown, isRequired: boolean): string {
  const { enum: values, type } = asMembers(schema);
  const isShown = Array.isArray(values) && (isRequired || values.length <= MOST_VALUES);
  const form = `${type === "array" ? "[]" : ""}${isRequired ? "" : "?"}`;
  return `${name}${form}${isShown ? `:${values.join("|")}` : ""}`;
}

function isPosition(names: readonly string[]): boolean {
  return [...POSITION, "symbol"].every((name) => names.includes(name));
}

/** A signature such as `references(symbol,groupByFile?,includeDeclaration?)` */
function signatureText({ name, inputSchema }: GraphToolInfo, short: (name: string) => string) {
  const { properties, required } = asMembers(inputSchema);
  const members = asMembers(properties);
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(members).filter((each) => !UNSAID.test(each));
  const hasPosition = isPosition(names);
  const own = hasPosition
    ? names.filter((each) => each !== "symbol" && !POSITION.includes(each))
    : names;
  const inputs = [
    ...(hasPosition ? ["symbol"] : []),
    ...own.filter((each) => needed.has(each)).map((each) => inputText(each, members[each], true)),
    ...own.filter((each) => !needed.has(each)).map((each) => inputText(each, members[each], false)),
  ];
  return inputs.length === 0 ? short(name) : `${short(name)}(${inputs.join(",")})`;
}

const RULES =
  "Ask about the code base instead of searching its text. `symbol`: name, Class.method or path#name, or instead path,line,column; `target`: path or symbol; since: git revision, staged, working. All take limit, scope (a folder), cursor.";

/** One tool for all questions. Its description contains their signatures. */
export function oneGraphTool(tools: GraphTools, prefix = ""): GraphTools {
  const short = (name: string): string => name.slice(`${prefix}graph_`.length);
  const index = tools.tools.map((tool) => signatureText(tool, short));
  const description = [RULES, ...index].join(" ");
  const inputSchema = {
    type: "object",
    properties: { tool: { type: "string" }, args: { type: "object" } },
    required: ["tool"],
  };
  return {
    ...tools,
    tools: [{ name: `${prefix}graph`, description, inputSchema }],
    call: (_name, { tool, args, ...others } = {}, options) =>
      tools.call(String(tool), isRecord(args) ? { ...others, ...args } : others, options),
  };
}
