// Prints the functions that one warm local call runs, as JSON: file → names.
import { Session } from "node:inspector/promises";
import { createWaybill, defineOperation } from "@waybill/core";

const waybill = createWaybill({
  operations: [
    defineOperation({
      id: "math.next",
      description: "The next number",
      effect: "read",
      input: { type: "object", properties: { of: { type: "number" } }, required: ["of"] },
      output: { type: "object", properties: { is: { type: "number" } }, required: ["is"] },
      handler: async (input) => ({ is: Number(input.of) + 1 }),
    }),
  ],
});
for (let round = 0; round < 3; round += 1) await waybill.execute("math.next", { of: 1 });

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await session.post("Profiler.takePreciseCoverage");
await waybill.execute("math.next", { of: 1 });
const { result } = await session.post("Profiler.takePreciseCoverage");
process.stdout.write(JSON.stringify(result));
