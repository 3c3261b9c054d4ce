import { request } from "node:http";
import type { ResultEnvelope } from "@waybill/core";
import { describe, expect, it } from "vitest";
import { TOKENS } from "../emulator/index.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { FULL_CALLS, ODD_CALLS } from "./fixtures/odd-calls.ts";
import { ownWorlds } from "./fixtures/own-world.ts";

const ROUTES = ["graphql", "rest", "cli"] as const;
const start = ownWorlds();

/** Matches ids, times and addresses, which differ between requests. */
const CHANGING =
  /"(?:id|node_id|sha|oid|date|\w*url|\w*_at)":(?:"[^"]*"|\d+|null),?|[0-9a-f]{40}/gu;

async function read({ place }: Embedded, path: string): Promise<string> {
  const headers = { host: "api.github.com", authorization: `token ${TOKENS.octocat}` };
  const response = new Promise<string>((resolve, reject) => {
    const sent = request({ socketPath: place.socketPath!, path, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text += part));
      answer.on("end", () => resolve(text));
    });
    sent.on("error", reject).end();
  });
  return (await response).replaceAll(CHANGING, "");
}

/** The error code and the effect of a call on every route that supports it. */
async function outcomes(id: string, params: object, at: string) {
  const embedded = await start();
  const found: { code: string | undefined; effect: string; envelope: ResultEnvelope }[] = [];
  for (const route of ROUTES) {
    embedded.reset();
    const envelope = await embedded.by(route).execute(id, params);
    const code = envelope.error?.code;
    if (code !== "ADAPTER_UNSUPPORTED")
      found.push({ code, effect: await read(embedded, at), envelope });
  }
  return found;
}

const named = (calls: typeof ODD_CALLS) =>
  calls.map((call) => [`${call[0]} ${JSON.stringify(call[1]).slice(0, 90)}`, call] as const);

describe("a write with odd inputs", () => {
  it.each(named(ODD_CALLS))(
    "a write with unusual inputs has the same outcome on every route: %s",
    async (_, call) => {
      const found = await outcomes(...call);
      expect(found.length).toBeGreaterThan(1);
      expect(new Set(found.map(({ code }) => code)).size).toBe(1);
      expect(new Set(found.map(({ effect }) => effect)).size).toBe(1);
      expect([undefined, "VALIDATION"]).toContain(found[0]?.code);
    },
  );
});

describe("a write with every input at once", () => {
  it.each(named(FULL_CALLS))(
    "a write with every input given has the same effect on every route: %s",
    async (_, call) => {
      const found = await outcomes(...call);
      expect(found.length).toBeGreaterThan(1);
      expect(found.map(({ envelope }) => envelope.error)).toEqual(found.map(() => null));
      expect(new Set(found.map(({ effect }) => effect)).size).toBe(1);
    },
  );
});
