// A week's chores on GitHub, played on an embedded one: look, write in a chain, and lose an answer.
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
console.log("The same pull request by GraphQL and by REST, to the letter");

github.faults.inject({ kind: "drop", when: "after", match: { operation: "addComment" }, times: 1 });
const before = github.applied()["addComment"] ?? 0;
const lost = await waybill.execute("issue.comments.create", { repo, number: 1, body: "Still so?" });
console.log(
  "An answer was lost:",
  lost.ok ? "response to this write was lost" : lost.error.details?.outcome,
);
assert.equal((github.applied()["addComment"] ?? 0) - before, 1);

await waybill.close();
transport.close();
await github.close();
await rm(folder, { recursive: true, force: true });
