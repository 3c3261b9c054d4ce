import type { JsonSchemaObject } from "@waybill/core/schema";
import { ENTRYPOINT_KINDS, SYMBOL_KINDS } from "../graph/index.ts";
import { IMPACT_PARTS, ISSUE_KINDS, MODULE_PARTS, SEVERITIES } from "../query/index.ts";
import type { GraphToolName } from "../query/index.ts";
import { LayerRulesSchema } from "../rules/index.ts";

/** Describes an input only if its name is not enough, because each tool listing costs tokens. */
function described(schema: JsonSchemaObject, description: string | undefined): JsonSchemaObject {
  return description === undefined ? schema : { ...schema, description };
}

function text(description?: string, maxLength = 1_000): JsonSchemaObject {
  return described({ type: "string", minLength: 1, maxLength }, description);
}

function countSchema(minimum: number, maximum: number, description?: string): JsonSchemaObject {
  return described({ type: "integer", minimum, maximum }, description);
}

function choice(values: readonly string[], description?: string): JsonSchemaObject {
  return described({ enum: values }, description);
}

function some(values: readonly string[], description?: string): JsonSchemaObject {
  return described({ type: "array", items: { enum: values }, minItems: 1 }, description);
}

function flag(description?: string): JsonSchemaObject {
  return described({ type: "boolean" }, description);
}

const COMMON: Record<string, JsonSchemaObject> = {
  maxTokens: countSchema(200, 1_000_000),
  cursor: text(undefined, 100),
  scope: text(undefined, 512),
};

function input(
  properties: Record<string, JsonSchemaObject>,
  required: readonly string[] = [],
): JsonSchemaObject {
  return { type: "object", required, properties: { ...properties, ...COMMON } };
}

const LIMIT = countSchema(1, 500);
const POSITION = {
  path: text(),
  line: countSchema(1, 10_000_000, "1-based"),
  column: countSchema(1, 10_000_000),
  symbol: text("Instead of a position: name, Class.method, path#name"),
};
const TARGET = text("Path, path#symbol or symbol");
/** The target of questions that can also be about many files together. */
const WIDE_TARGET = text("Path, folder, package, path#symbol or symbol");
const SINCE = text("Git revision, staged or working", 200);

/** The inputs of each tool. */
export const INPUTS: Readonly<Record<GraphToolName, JsonSchemaObject>> = {
  digest: input({
    include: some(["summary", "entrypoints", "hotspots", "issues"]),
    hotspotLimit: countSchema(1, 50),
    entrypointLimit: countSchema(1, 50, "For each kind of entry point"),
  }),
  issues: input({
    kind: choice(ISSUE_KINDS),
    severity: choice(SEVERITIES, "This or worse"),
    limit: LIMIT,
    groupBy: choice(["none", "kind", "severity", "file"]),
    changedSince: SINCE,
  }),
  impact: input({
    target: WIDE_TARGET,
    depth: countSchema(1, 1_000, "default 3"),
    include: some(IMPACT_PARTS, "One list alone comes in pages"),
    changedSince: SINCE,
    limit: LIMIT,
  }),
  path: input(
    {
      from: TARGET,
      to: TARGET,
      maxDepth: countSchema(1, 100_000, "default 10"),
      maxPaths: countSchema(1, 10),
      includeEdgeDetails: flag(),
    },
    ["from", "to"],
  ),
  module: input(
    {
      target: TARGET,
      include: some(MODULE_PARTS, "One list alone comes in pages"),
      includeTransitive: flag(),
      limit: LIMIT,
    },
    ["target"],
  ),
  annotations: input(
    {
      action: choice(["list", "addEdge", "addEntrypoint", "addIgnore", "remove"]),
      from: text("addEdge: path or glob", 512),
      to: text("addEdge: path or glob", 512),
      path: text("addEntrypoint, addIgnore: path or glob", 512),
      type: choice(ENTRYPOINT_KINDS, "addEntrypoint: kind"),
      name: text("addEntrypoint: what it serves", 200),
      kind: choice(ISSUE_KINDS, "addIgnore: kind of issue"),
      issueId: text("addIgnore: id of an issue", 100),
      reason: text(undefined, 500),
      id: text("remove: id of an annotation", 100),
    },
    ["action"],
  ),
  cycles: input({
    minLength: countSchema(2, 1_000),
    maxCycles: LIMIT,
    severityFilter: choice(SEVERITIES, "This or worse"),
    includeBreakPoints: flag("default true"),
    typeOnly: choice(["include", "exclude", "only"], "Cycles that exist only by type imports"),
  }),
  layers: input(
    {
      action: choice(["check", "list", "suggest"]),
      rules: {
        ...LayerRulesSchema,
        description: "Rules to use instead of .waybill/graph/layers.json",
      },
      groupByRule: flag(),
      limit: LIMIT,
    },
    ["action"],
  ),
  search: input(
    {
      query: text("Part of a name, camelCase initials, or words of code and comments", 200),
      type: choice(["file", "symbol", "directory", "all"]),
      limit: LIMIT,
    },
    ["query"],
  ),
  tree: input({
    path: text(),
    depth: countSchema(1, 8),
    includeFiles: flag(),
    pattern: text("Glob of files", 512),
  }),
  symbols: input(
    {
      target: text("Path, or part of a name"),
      mode: choice(["document", "workspace"]),
      kindFilter: some(SYMBOL_KINDS),
      limit: LIMIT,
    },
    ["target"],
  ),
  references: input({
    ...POSITION,
    groupByFile: flag(),
    includeDeclaration: flag("default true"),
    limit: LIMIT,
  }),
  definition: input(POSITION),
  implementations: input({
    ...POSITION,
    direction: choice(["down", "up"], "up: what it implements"),
    limit: LIMIT,
  }),
  call_hierarchy: input({
    ...POSITION,
    direction: choice(["incoming", "outgoing", "both"]),
    depth: countSchema(1, 5),
    limit: LIMIT,
  }),
  issue_explain: input({ issueId: text("Id of an issue", 100) }, ["issueId"]),
  issue_fixplan: input(
    {
      issueIds: {
        type: "array",
        items: text(undefined, 100),
        minItems: 1,
        maxItems: 5,
      },
    },
    ["issueIds"],
  ),
  source: input({ ...POSITION, limit: LIMIT }),
  rename: input({ ...POSITION, to: text("New name", 200), limit: LIMIT }, ["to"]),
  rename_apply: input({ ...POSITION, to: text("New name", 200) }, ["to"]),
  tests: input({ target: WIDE_TARGET, since: SINCE, limit: LIMIT }),
  changes: input({ since: SINCE, depth: countSchema(1, 10), limit: LIMIT }, ["since"]),
};
