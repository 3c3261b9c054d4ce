import { openapiSource } from "@waybill/adapters/openapi";
import { createWaybill } from "@waybill/core";
import { checkCard } from "@waybill/core/cards";
import { createHttpApp } from "@waybill/server";
import { constantFrom, oneof, record, tuple } from "fast-check";
import type { Program } from "../../scripts/setup.mjs";
import { chainProblem, envelopeProblem } from "./envelopes.ts";
import { nats } from "./nats-door.ts";
import { through } from "./through.ts";
import type { Door } from "./through.ts";
import {
  mutated,
  mutation,
  nearlyTyped,
  oddJson,
  oddOptions,
  oddSteps,
  oddText,
  oddValue,
  values,
} from "./values.ts";
import { CARD, DESCRIPTION, fuzzedWaybill } from "./waybill.ts";
import { code, command, mcp } from "./wire-doors.ts";

const ids = oneof(constantFrom("value.any", "value.typed", "value.typed", "value.write"), oddText);

const execute: Door = async (count, seed) => {
  const own = fuzzedWaybill();
  const params = oneof(oddValue, oddJson, nearlyTyped);
  const calls = values(tuple(ids, params, oddOptions), count, seed);
  return through(calls, async ([id, given, options]) =>
    envelopeProblem(await own.execute(id, given, options as never)),
  );
};

const chain: Door = async (count, seed) => {
  const own = fuzzedWaybill();
  return through(values(tuple(oddSteps, oddOptions), count, seed), async ([steps, options]) =>
    chainProblem(await own.chain(steps as never, options as never)),
  );
};

const requests = record({
  path: oneof(
    ids.map((id) => `/v1/execute/${encodeURIComponent(id.replaceAll(/[\ud800-\udfff]/gu, "?"))}`),
    constantFrom("/v1/chain", "/v1/capabilities", "/health", "/openapi.json", "/v1/execute/"),
    constantFrom("//", "/%00", "/v1/subscribe/value.any", "/metrics", "/mcp"),
  ),
  method: constantFrom("POST", "POST", "POST", "GET", "PUT", "DELETE", "OPTIONS"),
  body: oneof(
    record({ params: oneof(oddJson, nearlyTyped), options: oddOptions }).map((body) =>
      JSON.stringify(body),
    ),
    record({ steps: oddSteps, options: oddOptions }).map((body) => JSON.stringify(body)),
    oddText,
  ),
  type: constantFrom("application/json", "application/json", "text/plain"),
});

const http: Door = async (count, seed) => {
  const limits = { perSecond: 1e9, burst: 1e9 };
  const app = createHttpApp({ waybill: fuzzedWaybill(), version: "0.0.0", limits });
  return through(values(requests, count, seed), async ({ path, method, body, type }) => {
    const headers = { host: "127.0.0.1:8080", "content-type": type };
    const hasBody = method !== "GET" && method !== "OPTIONS";
    const sent = { method, headers, ...(hasBody && { body }) };
    const response = await app.fetch(new Request(`http://127.0.0.1:8080${path}`, sent));
    if (path.startsWith("/v1/subscribe/")) return response.body?.cancel();
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const isCall = path.startsWith("/v1/execute/") && method === "POST" && isJson;
    if (isCall) return envelopeProblem(JSON.parse(text));
    return response.status < 500 ? undefined : `${response.status} ${text.slice(0, 200)}`;
  });
};

const openapi: Door = async (count, seed) =>
  through(values(tuple(mutation, oddJson), count, seed), async ([change, params]) => {
    const document = mutated(DESCRIPTION, change);
    const own = createWaybill({ sources: [openapiSource({ name: "api", document })] });
    const answers = [
      await own.execute("api.getThing", params, { dry_run: true }),
      await own.execute("api.putThing", params, { dry_run: true }),
    ];
    await own.close();
    return answers.map(envelopeProblem).find((problem) => problem !== undefined);
  });

const cards: Door = async (count, seed) =>
  through(values(mutation, count, seed), async (change) => {
    const place = { file: "card.yaml", locate: () => 1 };
    const { card, problems } = await checkCard(mutated(CARD, change), place);
    const isSound = card === undefined ? problems.length > 0 : problems.length === 0;
    return isSound ? undefined : JSON.stringify({ card, problems }).slice(0, 300);
  });

interface FuzzedDoor {
  readonly door: Door;
  /** The share of all inputs that this interface gets, from 0 to 1. */
  readonly share: number;
  /** A program that this interface needs. */
  readonly program?: Program;
}

export const DOORS: Readonly<Record<string, FuzzedDoor>> = {
  execute: { door: execute, share: 0.5 },
  chain: { door: chain, share: 0.12 },
  http: { door: http, share: 0.16 },
  mcp: { door: mcp, share: 0.06 },
  nats: { door: nats, share: 0.04, program: "nats-server" },
  code: { door: code, share: 0.01 },
  command: { door: command, share: 0.01 },
  openapi: { door: openapi, share: 0.05 },
  cards: { door: cards, share: 0.05 },
};
