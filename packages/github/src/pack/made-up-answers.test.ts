import type { ResultEnvelope } from "@waybill/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { githubDescription } from "../emulator/fixtures/described.ts";
import { isInputObject } from "../emulator/input.ts";
import { matchRoute } from "../emulator/rest/match-route.ts";
import { startGithubEmulator } from "../emulator/index.ts";
import type { GithubEmulator } from "../emulator/index.ts";
import { loadSchema } from "../schema/index.ts";
import { cards } from "./cards.ts";
import { cases } from "./fixtures/cases/index.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";
import { startAnsweringHost } from "./fixtures/answering-host.ts";
import type { AnsweringHost, Answered, Asked } from "./fixtures/answering-host.ts";
import { RandomGraphql } from "./fixtures/random-graphql.ts";
import { RandomRest } from "./fixtures/random-rest.ts";

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((one, key) => {
    const found = isInputObject(one) ? one[key] : undefined;
    const ref = isInputObject(found) ? found["$ref"] : undefined;
    return typeof ref === "string" ? at(githubDescription(), ...ref.slice(2).split("/")) : found;
  }, value);
}

/** The first successful answer of an operation in GitHub's description, with its JSON form. */
function describedAnswer({ method, url }: Asked): { status: number; media: unknown } | undefined {
  const template = matchRoute(method, url.pathname)?.route.template ?? "";
  const operation = at(githubDescription(), "paths", template, method.toLowerCase());
  const responses = at(operation, "responses");
  const status = Object.keys(isInputObject(responses) ? responses : {}).find((one) =>
    one.startsWith("2"),
  );
  if (status === undefined) return undefined;
  const media = at(responses, status, "content", "application/json");
  return { status: Number(status), media };
}

const NOT_FOUND = { status: 404, body: { message: "Not Found" } };

/** The first example that GitHub's description shows for an operation. */
function exampleFor(asked: Asked): Answered {
  const answer = describedAnswer(asked);
  if (answer === undefined) return NOT_FOUND;
  const { status, media } = answer;
  const examples = at(media, "examples");
  const [first] = Object.keys(isInputObject(examples) ? examples : {});
  const body = first === undefined ? at(media, "example") : at(examples, first, "value");
  return { status, body };
}

let github: GithubEmulator;
beforeAll(async () => {
  github = await startGithubEmulator();
});
afterAll(() => github.close());

function paramsFor({ params }: ParityCase): Record<string, unknown> {
  return typeof params === "function" ? { ...params(github) } : { ...params };
}

function casesOn(route: "graphql" | "rest"): readonly (readonly [string, ParityCase])[] {
  return cases
    .filter(({ id, routes }) => {
      const order = cards.cardById(id)?.order ?? [];
      return order.includes(route) && (routes?.includes(route) ?? true);
    })
    .map((each) => [each.title ? `${each.id}: ${each.title}` : each.id, each] as const);
}

/**
 * Whether a failure is a bug: an unexpected error of the call, or of a function that reads the
 * answer.
 */
function isCrash(error: ResultEnvelope["error"]): boolean {
  return (
    error?.code === "UNKNOWN" || error?.message.endsWith("does not accept this value") === true
  );
}

describe("examples of GitHub's REST description", () => {
  let host: AnsweringHost;
  beforeAll(async () => {
    host = await startAnsweringHost("rest", exampleFor);
  });
  afterAll(() => host.close());

  it.each(casesOn("rest"))(
    "the GitHub pack reads GitHub's example response for %s",
    async (_title, each) => {
      const { include } = each;
      const options = include === undefined ? {} : { include };
      const { error } = await host.waybill.execute(each.id, paramsFor(each), options);
      expect(isCrash(error)).toBe(false);
    },
  );
});

const SEEDS = process.env["WAYBILL_PARITY"] === "full" ? 12 : 1;
const PRIME = 1_009;

describe("random answers of GitHub's REST description", () => {
  let random: RandomRest;
  let host: AnsweringHost;
  beforeAll(async () => {
    host = await startAnsweringHost("rest", (asked) => {
      const answer = describedAnswer(asked);
      const schema = at(answer?.media, "schema");
      if (answer === undefined) return NOT_FOUND;
      const body = schema === undefined ? undefined : random.value(schema);
      return { status: answer.status, body };
    });
  });
  afterAll(() => host.close());

  it.each([0, 0.4])(
    "the GitHub pack reads random REST answers in which this share of the optional values is missing: %d",
    async (gaps) => {
      const crashes: unknown[] = [];
      for (let seed = 0; seed < SEEDS; seed++) {
        for (const [index, [title, each]] of casesOn("rest").entries()) {
          random = new RandomRest(seed * PRIME + index, gaps);
          const { include } = each;
          const options = include === undefined ? {} : { include };
          const { error } = await host.waybill.execute(each.id, paramsFor(each), options);
          if (isCrash(error)) crashes.push([title, seed, error]);
        }
      }
      expect(crashes).toEqual([]);
    },
  );
});

describe("random answers of GitHub's GraphQL schema", () => {
  let random: RandomGraphql;
  let host: AnsweringHost;
  beforeAll(async () => {
    host = await startAnsweringHost("graphql", async ({ body }) => {
      const { query = "", variables = {} } = body as { query?: string; variables?: object };
      return { status: 200, body: await random.answer(query, { ...variables }) };
    });
  });
  afterAll(() => host.close());

  it.each([0.25, 0.6])(
    "the GitHub pack reads random GraphQL answers in which this share of the nullable fields is null: %d",
    async (nulls) => {
      const schema = await loadSchema();
      const crashes: unknown[] = [];
      for (let seed = 0; seed < SEEDS; seed++) {
        for (const [index, [title, each]] of casesOn("graphql").entries()) {
          random = new RandomGraphql(schema, seed * PRIME + index, nulls);
          const { include } = each;
          const options = include === undefined ? {} : { include };
          const { error } = await host.waybill.execute(each.id, paramsFor(each), options);
          if (isCrash(error)) crashes.push([title, seed, error]);
        }
      }
      expect(crashes).toEqual([]);
    },
  );
});
