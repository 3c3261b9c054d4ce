import { expect, it, onTestFinished } from "vitest";
import { describeWithProgram } from "../support/programs.ts";
import { storm } from "./storm.ts";

describeWithProgram("nats-server", () => {
  it("calls through NATS all end, and no write is applied twice, while a worker and the NATS server die", async () => {
    const { ended, violations } = await storm(800, onTestFinished);
    expect(violations).toEqual([]);
    expect(ended).toHaveLength(800);
    expect(ended.filter(({ end }) => end === "ok").length).toBeGreaterThan(400);
  });
});
