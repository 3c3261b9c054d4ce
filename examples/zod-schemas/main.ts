// Describes an operation with Zod. Any library works that supports Standard Schema and JSON Schema.
import assert from "node:assert/strict";
import { createWaybill, defineOperation } from "@waybill/core";
import { z } from "zod";

const schedule = defineOperation({
  id: "calendar.schedule",
  description: "Put a meeting into the calendar.",
  effect: "write",
  input: z.object({
    title: z.string().min(1),
    // Zod turns the text into a Date before the handler sees it.
    day: z.iso.date().transform((text) => new Date(text)),
    minutes: z.int().min(15).default(30),
  }),
  output: z.object({ title: z.string(), ends: z.string() }),
  handler: ({ title, day, minutes }) => ({
    title,
    ends: new Date(day.getTime() + minutes * 60_000).toISOString(),
  }),
});

const waybill = createWaybill({ operations: [schedule] });
const answer = await waybill.execute("calendar.schedule", { title: "Tea", day: "2026-05-01" });
assert.deepEqual(answer.data, { title: "Tea", ends: "2026-05-01T00:30:00.000Z" });

const wrong = await waybill.execute("calendar.schedule", { title: "", day: "tomorrow" });
assert.equal(wrong.error?.code, "VALIDATION");

console.log(JSON.stringify(await waybill.explain("calendar.schedule"), null, 2));
console.log(JSON.stringify(answer));
console.log(wrong.error?.message);
