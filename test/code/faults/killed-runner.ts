// Runs programs that its parent sends, until it is killed. Writes go to the parent over HTTP.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { createCodeRunner, fileRunLog } from "@waybill/code";
import { createWaybill, defineOperation, fail } from "@waybill/core";
import { openJournal } from "@waybill/state";

const [folder = "", url = ""] = process.argv.slice(2);
const INPUT = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
} as const;

const write = defineOperation({
  id: "note.write",
  description: "Write a note",
  effect: "write",
  input: INPUT,
  output: INPUT,
  handler: async ({ text }) => {
    const response = await fetch(url, { method: "POST", body: text });
    if (!response.ok) throw fail("SERVER", "The write failed", { outcome: "unknown" });
    return { text };
  },
});
const read = defineOperation({
  id: "note.read",
  description: "Read a note",
  effect: "read",
  input: INPUT,
  output: INPUT,
  handler: ({ text }) => ({ text }),
});
const waybill = createWaybill({
  operations: [write, read],
  journal: openJournal({ path: join(folder, "journal.db") }),
});
const runner = createCodeRunner({ log: fileRunLog(join(folder, "code")) });
runner.warm();
console.log("ready");

for await (const line of createInterface(process.stdin)) {
  const { key, program } = JSON.parse(line) as { key: string; program: string };
  const result = await runner.run(waybill, program, { idempotency_key: key });
  console.log(JSON.stringify(result));
}
