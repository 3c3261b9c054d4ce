import { CallError, fail, isRecord } from "../envelope/index.ts";
import type { JsonSchema } from "../envelope/index.ts";
import { defineOperation } from "../operation/index.ts";
import type { Identity, Operation } from "../operation/index.ts";
import { memberAt, nearestNames } from "../schema/index.ts";
import { parseCursor } from "./cursor.ts";
import type { ReadPosition } from "./cursor.ts";
import { keptFor } from "./handles.ts";
import type { HandleStore } from "./handles.ts";
import { readPage } from "./page.ts";
import type { ResultPage } from "./page.ts";
import { parsePath } from "./path.ts";
import { searchData } from "./search.ts";
import { loadTokenList } from "./token-tree.ts";

export const RESULT_READ = "result.read";

export interface ResultReadInput {
  readonly handle: string;
  readonly cursor?: string;
  readonly path?: string;
  readonly search?: string;
}

export interface ResultReadOptions {
  /** The token limit of a page, used if the cursor has none. */
  readonly pageTokens?: number;
}

const DEFAULT_PAGE_TOKENS = 2_000;

const INPUT: JsonSchema = {
  type: "object",
  properties: {
    handle: { type: "string", minLength: 1, description: "meta.handle of the answer that was cut" },
    cursor: {
      type: "string",
      description: "meta.next of that answer, or the cursor of the previous page",
    },
    path: { type: "string", description: "The part to read, such as items.3.body" },
    search: { type: "string", minLength: 1, description: "Words to find" },
  },
  required: ["handle"],
  additionalProperties: false,
};

const OUTPUT: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    value: {},
    from: { type: "integer" },
    to: { type: "integer" },
    total: { type: "integer" },
    cursor: { type: ["string", "null"] },
    cuts: { type: "array", items: { type: "object" } },
  },
  required: ["path", "value", "from", "to", "total", "cursor"],
};

/** Parses a stored value: the JSON of a result, or plain text such as the output of a program. */
function parseKept(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function readKept(store: HandleStore, handle: string): Promise<unknown> {
  const kept = await store.read(handle, 0, Number.MAX_SAFE_INTEGER);
  if (kept !== undefined) return parseKept(kept.text);
  throw fail("NOT_FOUND", `There is no stored result with the handle ${handle.slice(0, 60)}`, {
    hint: "Handles expire. Repeat the call that returned it",
  });
}

function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const key of parsePath(path)) {
    const member = memberAt(value, key);
    if (member === undefined) {
      const names = isRecord(value) ? nearestNames(key, Object.keys(value), 3) : [];
      const hint = "Leave out path to read the whole result";
      const next = names.length > 0 ? { did_you_mean: names } : { hint };
      throw fail("NOT_FOUND", `The stored result has no value at ${path.slice(0, 200)}`, next);
    }
    value = member;
  }
  return value;
}

function getPosition(input: ResultReadInput, scope: string, tokens: number): ReadPosition {
  const { cursor, path } = input;
  if (cursor === undefined) return { path: path ?? "", at: 0, isBack: false, tokens };
  const position = parseCursor(scope, cursor);
  if (path === undefined || path === position.path) return position;
  throw new CallError("VALIDATION_ERROR", "The cursor belongs to another path", {
    issues: [{ path: "/path", message: `must be ${position.path || "left out"} with this cursor` }],
  });
}

/**
 * Creates `result.read`, which reads the rest of a result that was cut: the next page, one part, or
 * the matches of a search.
 */
export function resultReadOperation(
  store: HandleStore,
  options: ResultReadOptions = {},
): Operation {
  const { pageTokens = DEFAULT_PAGE_TOKENS } = options;
  const read = async (
    input: ResultReadInput,
    identity: Identity | undefined,
  ): Promise<ResultPage> => {
    await loadTokenList();
    const { handle, search } = input;
    const scope = search === undefined ? handle : `${handle}?${search}`;
    const position = getPosition(input, scope, pageTokens);
    const value = valueAt(await readKept(keptFor(store, identity), handle), position.path);
    if (search === undefined) return readPage(value, position, scope);
    const { cuts: _, ...page } = readPage(searchData(value, search), position, scope);
    return page;
  };
  return defineOperation({
    id: RESULT_READ,
    description: "Read more of a result that was cut",
    effect: "read",
    input: INPUT,
    output: OUTPUT,
    handler: (input, { identity }) => read(input as ResultReadInput, identity),
  });
}
