import { expect, it, onTestFinished } from "vitest";
import { openCodeWorld } from "../support/code-world.ts";

const PROGRAM = `const codes = [];
for (let n = 1; n <= 10; n++) {
  try {
    await issue.view({ owner: "octo", name: "atlas", issueNumber: n });
  } catch (error) {
    codes.push(error.code);
  }
}
return codes`;

it("a program that meets a secondary rate limit sends only one request", async () => {
  const world = await openCodeWorld();
  onTestFinished(() => world.close());
  world.github.faults.inject({
    kind: "rate-limit",
    limit: "secondary",
    retryAfter: 600,
    times: 1_000,
  });
  const result = await world.runner.run(world.waybill, PROGRAM);
  expect(result.data).toEqual({ value: Array.from({ length: 10 }, () => "RATE_LIMIT") });
  expect(world.requests()).toBe(1);
});
