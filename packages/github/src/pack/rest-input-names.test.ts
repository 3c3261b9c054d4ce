import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { cardSpec } from "@waybill/core/cards";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PACKED_DESCRIPTION } from "../description/index.ts";
import { cards } from "./cards.ts";
import { normaliseInput } from "./inputs.ts";

type Members = Readonly<Record<string, unknown>>;

interface RestPart {
  readonly method: string;
  readonly path: string;
  readonly query?: Members;
  readonly body?: Members;
}

const CARDS = fileURLToPath(new URL("../../cards", import.meta.url));
const files = readdirSync(CARDS, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".yaml"),
);

const described = JSON.parse(brotliDecompressSync(readFileSync(PACKED_DESCRIPTION)).toString()) as {
  readonly paths: Readonly<Record<string, Members>>;
};

const SLOT = /\{[^}]+\}/gu;

/** The path template in GitHub's description. */
function findTemplate({ method, path }: RestPart): string | undefined {
  const shape = path.replaceAll(SLOT, "{}");
  return Object.keys(described.paths).find(
    (one) =>
      one.replaceAll(SLOT, "{}") === shape &&
      Object.hasOwn(described.paths[one]!, method.toLowerCase()),
  );
}

/** Maps REST's input names to Waybill's, for inputs that the card sends unchanged. */
function namesIn(part: RestPart): [string, string][] {
  const template = findTemplate(part);
  const theirs = template?.match(SLOT) ?? [];
  const ours = part.path.match(SLOT) ?? [];
  const inPath = theirs.map((slot, index) => [slot.slice(1, -1), ours[index]!.slice(1, -1)]);
  const members = Object.entries({ ...part.query, ...part.body });
  return [...inPath, ...members].filter(
    (pair): pair is [string, string] =>
      typeof pair[1] === "string" && /^[A-Za-z]\w*$/u.test(pair[1]),
  );
}

/** REST's page numbers are not cursors, so these inputs are left out. */
const NOT_INPUTS = ["page", "cursor", "after", "before"];

const ROWS = files.flatMap((file) => {
  const card = parse(readFileSync(join(CARDS, file), "utf8")) as {
    capability_id: string;
    rest?: RestPart | RestPart[];
  };
  const parts = card.rest === undefined ? [] : [card.rest].flat();
  const known = new Map(parts.flatMap(namesIn));
  const names = [...known].filter(([theirs]) => !NOT_INPUTS.includes(theirs));
  return names.length === 0 ? [] : [[card.capability_id, names] as const];
});

function makeSample(schema: unknown): unknown {
  const { type, enum: allowed } = (schema ?? {}) as { type?: string | string[]; enum?: unknown[] };
  if (allowed !== undefined) return allowed[0];
  const [first] = [type ?? "string"].flat();
  const samples: Members = { integer: 7, boolean: true, array: ["x"], object: {} };
  return samples[first ?? ""] ?? "x";
}

/**
 * An update needs at least one change, and a release needs its tag or id. Any of them is enough.
 */
function requiredChoice(schema: unknown, ours: string): Members {
  const { anyOf = [], properties = {} } = schema as {
    anyOf?: readonly { required?: readonly string[] }[];
    properties?: Members;
  };
  const names = anyOf.flatMap(({ required = [] }) => required);
  const [other] = names.includes(ours) ? [] : names;
  return other === undefined ? {} : { [other]: makeSample(properties[other]) };
}

/**
 * REST identifies a sub-issue by the path of its parent, and `issue_number` is the parent's number.
 */
const PARENTS: Readonly<Record<string, string>> = { "issue.relations.parent.set": "issue_number" };

/** REST's input names that Waybill does not accept. */
function missed(id: string, names: readonly (readonly [string, string])[]): string[] {
  const spec = cardSpec(cards.cardById(id)!);
  const { properties = {} } = spec.inputSchema as { properties?: Members };
  return names.flatMap(([theirs, ours]) => {
    const isOther = theirs !== ours && PARENTS[id] !== theirs;
    if (!isOther || !Object.hasOwn(properties, ours)) return [];
    // `repo` names the repository, so `name` can name the object itself.
    const given = theirs === "name" ? { repo: "o/r" } : {};
    const sample = { [theirs]: makeSample(properties[ours]) };
    const input = normaliseInput(
      { ...requiredChoice(spec.inputSchema, ours), ...given, ...sample },
      spec,
    );
    const aliases = spec.aliases?.[ours] ?? [];
    const isReached = [ours, ...aliases].some((name) => Object.hasOwn(input, name));
    return isReached ? [] : [`${theirs} for ${ours}`];
  });
}

describe("input names of GitHub's REST API", () => {
  it("more than 90 GitHub cards have inputs that GitHub's REST API names differently", () => {
    expect(ROWS.length).toBeGreaterThan(90);
  });

  it.each(ROWS)("%s accepts the input names of GitHub's REST API", (id, names) => {
    expect(missed(id, names)).toEqual([]);
  });
});
