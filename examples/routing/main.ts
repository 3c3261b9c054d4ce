// One capability with two routes: which route answers, why, and what happens if one is not available.
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadCards } from "@waybill/adapters/cards";
import { ghFactSource, ghRoute } from "@waybill/adapters/command";
import { graphqlRoute } from "@waybill/adapters/graphql";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { cardOperation } from "@waybill/core/cards";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { installFakeGh } from "./fake-gh.ts";
import { startUpstream } from "./upstream.ts";

const upstream = await startUpstream();
const gh = await installFakeGh(upstream.url);
const transport = createHttpTransport();
const { cards, problems } = await loadCards(join(import.meta.dirname, "cards"));
assert.deepEqual(problems, []);

/** The card's operation on a machine that finds programs in this folder. */
function waybillWith(programs: string): Waybill {
  const env = { PATH: programs };
  const facts = ghFactSource({ env });
  const routes = [
    ghRoute({ env, facts }),
    graphqlRoute({ url: upstream.url, transport, userAgent: "waybill-example" }),
  ];
  const operations = cards.map((card) => cardOperation(card, { routes, facts }));
  return createWaybill({ operations });
}

/** The parts of an envelope that are the same in every run. */
function story({ ok, error, meta }: ResultEnvelope): object {
  const { route_used, reason } = meta;
  const attempts = meta.attempts?.map(({ duration_ms: _duration, ...attempt }) => attempt);
  return { ok, code: error?.code ?? null, route_used, reason, attempts };
}

const present = { owner: "octo", name: "hello" };
const withGh = waybillWith(gh.folder);
const withoutGh = waybillWith("/nonexistent");

const preferred = await withGh.execute("repo.view", present, { trace: true });
console.log("# gh is installed", story(preferred));
assert.deepEqual(story(preferred), {
  ok: true,
  code: null,
  route_used: "cli",
  reason: "CARD_PREFERRED",
  attempts: [{ route: "cli", status: "success" }],
});

const fallback = await withoutGh.execute("repo.view", present, { trace: true });
console.log("# gh is not installed", story(fallback));
assert.deepEqual(story(fallback), {
  ok: true,
  code: null,
  route_used: "graphql",
  reason: "CLI_NOT_AVAILABLE",
  attempts: [
    { route: "cli", status: "skipped", error_code: "CLI_NOT_AVAILABLE" },
    { route: "graphql", status: "success" },
  ],
});
// The answer is the same on every route.
assert.deepEqual(fallback.data, preferred.data);

// No route can find a repository that does not exist, so Waybill does not try the second route.
const absent = { owner: "nonexistent", name: "repo" };
const missing = await withGh.execute("repo.view", absent, { trace: true });
console.log("# The repository does not exist", story(missing));
assert.deepEqual(story(missing), {
  ok: false,
  code: "NOT_FOUND",
  route_used: "cli",
  reason: "PREFERRED_ROUTE_FAILED",
  attempts: [{ route: "cli", status: "error", error_code: "NOT_FOUND" }],
});
const missingToo = await withoutGh.execute("repo.view", absent, { trace: true });
assert.equal(missingToo.error?.code, "NOT_FOUND");
assert.equal(missingToo.meta.route_used, "graphql");

transport.close();
upstream.close();
await gh.remove();
