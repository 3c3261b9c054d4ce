// The response to a write is lost. Waybill probes, finds the issue, and the call succeeds with a
// warning. A repeat with the same key returns the same issue.
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

/** The probe compares the author of an issue with `viewer`. */
function waybillFor(viewer: string | undefined): Waybill {
  const env = () => ({ viewer });
  const operations = cards.map((card) => cardOperation(card, { routes, env, host: "example" }));
  // This journal is in memory. @waybill/state has one in a file, which several processes can share.
  return createWaybill({ operations, journal: memoryJournal() });
}

const issue = { repo: "hello", title: "Keys that are used twice" };
const key = { idempotency_key: "report-1" };

// The server creates the issue and drops the connection. The card says how to find the issue.
const known = waybillFor("ada");
upstream.losesAnswers = 1;
const found = await known.execute("issue.create", issue, key);
console.log("# The response is lost, and a probe finds the issue");
console.log(JSON.stringify(found.data));
console.log(found.meta.warnings);
assert.equal(found.ok, true);
assert.deepEqual(found.data, { number: 1, title: issue.title });
assert.match(String(found.meta.warnings), /response to this write was lost/);

const again = await known.execute("issue.create", issue, key);
console.log("# The same key again returns the same issue");
console.log(JSON.stringify({ data: again.data, replayed: again.meta.replayed }));
assert.deepEqual(again.data, found.data);
assert.equal(again.meta.replayed, true);
assert.equal(upstream.issues.length, 1);

// Without `viewer`, the probe cannot tell whether this caller created the issue that it finds. The
// outcome stays unknown, and Waybill does not send the write again.
const anonymous = waybillFor(undefined);
upstream.losesAnswers = 1;
const second = { ...issue, title: "Answers that are lost" };
const unknown = await anonymous.execute("issue.create", second, key);
console.log("# A probe that cannot decide leaves the outcome unknown");
console.log(JSON.stringify(unknown.error));
assert.match(String(unknown.error?.details?.["probe"]), /cannot tell who created it/);
assert.equal(unknown.error?.retryable, false);
assert.equal(unknown.error.details?.["outcome"], "unknown");
const still = await anonymous.execute("issue.create", second, key);
assert.equal(still.error?.details?.["outcome"], "unknown");
assert.equal(still.meta.replayed, true);
assert.equal(upstream.issues.length, 2);

// A chain of writes under one key. The second step uses the answer of the first.
const steps = [
  { id: "issue", task: "issue.create", params: { repo: "hello", title: "A chain" } },
  {
    task: "issue.comment",
    params: {
      repo: "hello",
      number: { $from: "issue.data.number" },
      body: { $text: "This is #{{issue.data.number}}" },
    },
  },
];
const chain = await known.chain(steps, { idempotency_key: "report-2" });
console.log("# A chain under one key is applied once");
console.log(chain.status, JSON.stringify(chain.results.map(({ data }) => data)));
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
