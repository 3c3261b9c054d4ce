// Reads issues, writes in a chain, and loses the response to a write, all on an embedded GitHub.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { startGithubEmulator } from "@waybill/github/emulator";

const folder = await mkdtemp(join(tmpdir(), "waybill-github-"));
const github = await startGithubEmulator({ socket: join(folder, "s") });
const place = await findGithub({ env: { WAYBILL_GITHUB: github.env }, state: folder });
const transport = createHttpTransport();
const source = githubSource(place, { env: process.env, transport, userAgent: "example" });
const waybill = createWaybill({ sources: [source] });
const repo = "octo/hello";

const open = await waybill.execute("issue.list", { repo }, { select: ["items.*.title"] });
console.log("Open issues:", JSON.stringify(open.data));
assert.equal(open.ok, true);

const triage = await waybill.chain([
  { id: "made", task: "issue.create", params: { repo, title: "Greet in Irish" } },
  {
    task: "issue.comments.create",
    params: {
      owner: "octo",
      name: "hello",
      issueNumber: { $from: "made.data.number" },
      body: "Dia dhuit!",
    },
  },
]);
console.log("A chain of two writes:", triage.status);
assert.equal(triage.status, "success");

const routes = ["graphql", "rest"] as const;
const views = await Promise.all(
  routes.map((route) => waybill.execute("pr.view", { repo, number: 6 }, { route })),
);
assert.deepEqual(views[0]?.data, views[1]?.data);
console.log("GraphQL and REST return the same data for a pull request");

github.faults.inject({ kind: "drop", when: "after", match: { operation: "addComment" }, times: 1 });
const before = github.applied()["addComment"] ?? 0;
const lost = await waybill.execute("issue.comments.create", { repo, number: 1, body: "Any news?" });
console.log(
  "A comment whose response was lost:",
  lost.ok ? "response to this write was lost" : lost.error.details?.outcome,
);
assert.equal((github.applied()["addComment"] ?? 0) - before, 1);

await waybill.close();
transport.close();
await github.close();
await rm(folder, { recursive: true, force: true });
