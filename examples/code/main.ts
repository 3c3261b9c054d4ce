// Runs programs on an embedded GitHub: a join, a loop with one approval, and a run that is repeated.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createCodeRunner, memoryRunLog } from "@waybill/code";
import { createWaybill, memoryJournal } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { startGithubEmulator } from "@waybill/github/emulator";

const folder = await mkdtemp(join(tmpdir(), "waybill-code-"));
const github = await startGithubEmulator({ socket: join(folder, "s") });
const place = await findGithub({ env: { WAYBILL_GITHUB: github.env }, state: folder });
const transport = createHttpTransport();
const source = githubSource(place, { env: process.env, transport, userAgent: "example" });
const waybill = createWaybill({ sources: [source], journal: memoryJournal() });
const runner = createCodeRunner({ log: memoryRunLog() });

const red = await runner.run(
  waybill,
  `const open = await pr.list("octo/hello", { state: "open" });
   const states = await Promise.all(open.map((p) => pr.status(\`octo/hello#\${p.number}\`)));
   return states.filter((s) => s.checks.failed > 0).map((s) => s.number)`,
);
console.log("Pull requests with failed checks:", JSON.stringify(red.data));
assert.equal(red.ok, true);

const cleanUp = `const branches = await branch.list("octo/hello");
const old = branches.filter((b) => b.name.startsWith("docs/") || b.name.startsWith("chore/"));
for (const b of old) await branch.delete("octo/hello", { branch: b.name });
return old.map((b) => b.name)`;
const asked = await runner.run(waybill, cleanUp);
console.log("Deleting branches needs an approval:", asked.error?.message);
assert.equal(asked.error?.code, "POLICY");
const approve = String(asked.error?.details?.["approve"]);
const done = await runner.run(waybill, undefined, { approve });
console.log("With the approval, these branches are deleted:", JSON.stringify(done.data));
assert.equal(done.ok, true);

const greet = `for (const title of ["Greet in Irish", "Greet in Welsh"]) {
  await issue.create("octo/hello", { title });
}
return "created"`;
const before = github.applied()["createIssue"] ?? 0;
for (const time of ["first", "second"]) {
  const result = await runner.run(waybill, greet, { idempotency_key: "greetings" });
  console.log(`The ${time} run:`, JSON.stringify(result.data));
}
assert.equal((github.applied()["createIssue"] ?? 0) - before, 2);
console.log("The two runs together created two issues, because they have the same key");

runner.close();
await waybill.close();
transport.close();
await github.close();
await rm(folder, { recursive: true, force: true });
