import { readFile } from "node:fs/promises";
import { isObjectType } from "graphql";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadDescription } from "../description/index.ts";
import { loadSchema } from "../schema/index.ts";
import { cards } from "./cards.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { isSettled, writeCases } from "./fixtures/write-cases.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";

type Api = "graphql" | "rest";

interface OneApi {
  readonly why: string;
  readonly rest_lacks?: string;
  readonly graphql_lacks?: string;
  /** Whether both APIs can be used, depending on the input. */
  readonly has_both?: boolean;
  readonly capabilities: readonly string[];
}

const file = new URL("../../one-api-probes.yaml", import.meta.url);
const oneApi = parse(await readFile(file, "utf8")) as OneApi[];
const settled = writeCases(isSettled);

function probeApis(id: string): Api[] {
  const { verify } = cards.cardById(id)!;
  return (["graphql", "rest"] as const).filter((api) => verify?.[api] !== undefined);
}

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** The fields of a schema and of the objects directly in it. */
function fieldNames(schema: Schema | undefined, schemas: Record<string, Schema>): string[] {
  const found = schema?.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)!];
  if (found?.items !== undefined) return fieldNames(found.items, schemas);
  return Object.entries(found?.properties ?? {}).flatMap(([name, { properties, ...field }]) => {
    const { additionalProperties: entry } = field;
    const inner = { ...properties, ...(typeof entry === "object" ? entry.properties : {}) };
    return [name, ...Object.keys(inner).map((each) => `${name}.${each}`)];
  });
}

interface Reading {
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** Everything that GitHub's REST API can read. */
async function readRestPaths(): Promise<string[]> {
  const description = (await loadDescription()) as unknown as {
    readonly paths: Record<string, { readonly get?: Reading }>;
    readonly components: { readonly schemas: Record<string, Schema> };
  };
  return Object.entries(description.paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const schema = get.responses["200"]?.content?.["application/json"]?.schema;
    const fields = fieldNames(schema, description.components.schemas);
    const parameters = (get.parameters ?? []).map(({ name }) => `${path}?${name}`);
    return [path, ...parameters, ...fields.map((field) => `${path}.${field}`)];
  });
}

async function readSchemaFields(): Promise<string[]> {
  const types = Object.values((await loadSchema()).getTypeMap()).filter(isObjectType);
  return types.flatMap((type) =>
    Object.keys(type.getFields()).map((name) => `${type.name}.${name}`),
  );
}

describe("writes that only one API can verify", () => {
  it("the table of writes that only one API can verify has exactly these writes, each with a reason", () => {
    const single = settled.map(({ id }) => id).filter((id) => probeApis(id).length < 2);
    const listed = oneApi.flatMap(({ capabilities, has_both }) => (has_both ? [] : capabilities));
    expect(listed.toSorted()).toEqual(single.toSorted());
  });

  it.each(oneApi.map((each) => [each.why, each] as const))(
    "GitHub's own description confirms why only one API can verify a write: %s",
    async (_why, { rest_lacks: rest, graphql_lacks: graphql, has_both, capabilities }) => {
      const facts = rest === undefined ? await readSchemaFields() : await readRestPaths();
      expect(facts.length).toBeGreaterThan(1_000);
      const lacked = new RegExp((rest ?? graphql)!);
      expect(facts.filter((fact) => lacked.test(fact))).toEqual([]);
      const api = rest === undefined ? "rest" : "graphql";
      const apis = has_both ? ["graphql", "rest"] : [api];
      for (const id of capabilities) expect(probeApis(id)).toEqual(apis);
    },
  );
});

let embedded: Embedded | undefined;
afterEach(() => embedded?.close());

const MANY = 1_000;
const READS: Readonly<Record<Api, object>> = {
  graphql: { path: "/graphql", isWrite: false },
  rest: { path: /^(?!\/graphql$)/, isWrite: false },
};

const FAULTS = {
  "rate-limited": { kind: "rate-limit", limit: "primary", retryAfter: 3_600 },
  down: { kind: "status", status: 502 },
} as const;

/** After the write is applied, its response is lost, and reads through one of the APIs fail. */
async function loseWrite(
  { id, params, prepare, routes }: ParityCase,
  api: Api,
  fault: keyof typeof FAULTS,
) {
  let requests = 0;
  let isLost = false;
  const onExchange = (): void => void (requests += isLost ? 1 : 0);
  embedded = await startEmbedded({ clock: () => new Date(), onExchange });
  const { github, waybill } = embedded;
  prepare?.(github);
  const given: object = typeof params === "function" ? params(github) : params;
  // GraphQL does not return the target of a release, so it is used only for releases without one.
  const { targetCommitish: _, ...input } = given as Record<string, unknown>;
  github.store.watch(() => {
    if (isLost) return;
    isLost = true;
    github.faults.inject({ ...FAULTS[fault], match: READS[api], times: MANY });
  });
  github.faults.inject({ kind: "drop", when: "after", match: { isWrite: true } });
  const route = (routes ?? cards.cardById(id)!.order)[0]!;
  const { error } = await waybill.execute(id, input, { route });
  return { error, isLost, requests };
}

describe("read that verifies a lost write while one API fails", () => {
  const listed = new Set(oneApi.flatMap(({ capabilities }) => capabilities));
  const both = settled.filter(({ id }) => !listed.has(id));
  const table = both.flatMap((each) => {
    const needsTwo = cards.cardById(each.id)!.verify?.rest?.second !== undefined;
    const faults = needsTwo ? (["rate-limited", "down"] as const) : (["rate-limited"] as const);
    return (["graphql", "rest"] as const).flatMap((api) =>
      faults.map((fault) => [each.id, api, fault, each] as const),
    );
  });
  it.each(table)(
    "Waybill finds the write %s whose response was lost, while GitHub's %s API is %s",
    async (_id, api, fault, each) => {
      const { error, isLost, requests } = await loseWrite(each, api, fault);
      expect([error, isLost]).toEqual([null, true]);
      // The requests: the write whose response is lost, and at most two reads.
      expect(requests).toBeLessThanOrEqual(3);
    },
  );
});
