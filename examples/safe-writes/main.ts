// A write whose answer is lost, made safe: it happens once, and the caller is told the truth.
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadCards } from "@waybill/adapters/cards";
import { createHttpTransport, restRoute } from "@waybill/adapters/http";
import { createWaybill, memoryJournal } from "@waybill/core";
import { cardOperation } from "@waybill/core/cards";
import type { Waybill } from "@waybill/core";
import { Upstream } from "./upstream.ts";

const upstream = new Upstream();
const baseUrl = await upstream.start();
const transport = createHttpTransport();
const routes = [restRoute({ baseUrl, transport, userAgent: "waybill-example" })];
const { cards, problems } = await loadCards(join(import.meta.dirname, "cards"));
assert.deepEqual(problems, []);

/** Who calls is what `viewer` stands for when a write is looked for. */
function waybillOf(viewer: string | undefined): Waybill {
  const env = () => ({ viewer });
  const operations = cards.map((card) => cardOperation(card, { routes, env, host: "example" }));
  // In memory for the example; @waybill/state keeps it in a file that processes share.
  return createWaybill({ operations, journal: memoryJournal() });
}

const issue = { repo: "hello", title: "Keys that are used twice" };
const key = { idempotency_key: "report-1" };

// The card knows how to look, so a lost answer is found again.
const known = waybillOf("ada");
upstream.losesAnswers = 1;
const found = await known.execute("issue.create", issue, key);
console.log("# Lost and found", JSON.stringify(found.data), found.meta.warnings);
assert.equal(found.ok, true);
assert.deepEqual(found.data, { number: 1, title: issue.title });

const again = await known.execute("issue.create", issue, key);
console.log(
  "# The same key again",
  JSON.stringify({ data: again.data, replayed: again.meta.replayed }),
);
assert.equal(again.meta.replayed, true);
assert.equal(upstream.issues.length, 1);

// Without knowing who calls nothing can be proved: the outcome is unknown, and nothing is sent again.
const anonymous = waybillOf(undefined);
upstream.losesAnswers = 1;
const second = { ...issue, title: "Answers that are lost" };
const unknown = await anonymous.execute("issue.create", second, key);
console.log("# Lost for good", JSON.stringify(unknown.error));
assert.equal(unknown.error?.retryable, false);
assert.equal(unknown.error.details?.["outcome"], "unknown");
const still = await anonymous.execute("issue.create", second, key);
assert.equal(still.error?.details?.["outcome"], "unknown");
assert.equal(still.meta.replayed, true);
assert.equal(upstream.issues.length, 2);

// Many writes in one go, each using what the one before it answered.
const steps = [
  { id: "issue", task: "issue.create", input: { repo: "hello", title: "A chain" } },
  {
    task: "issue.comment",
    input: {
      repo: "hello",
      number: { $from: "issue.data.number" },
      body: { $text: "This is #{{issue.data.number}}" },
    },
  },
];
const chain = await known.chain(steps, { idempotency_key: "report-2" });
console.log("# A chain", chain.status, JSON.stringify(chain.results.map(({ data }) => data)));
assert.equal(chain.status, "success");
const repeated = await known.chain(steps, { idempotency_key: "report-2" });
assert.deepEqual(
  repeated.results.map(({ meta }) => meta.replayed),
  [true, true],
);
assert.deepEqual(upstream.comments, ["This is #3"]);
assert.equal(upstream.issues.length, 3);

transport.close();
upstream.close();
