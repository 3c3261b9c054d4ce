import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";

interface Answer {
  readonly ok?: boolean;
  readonly status?: string;
  readonly applied_by_github?: number;
  readonly meta?: { readonly reason?: string; readonly pagination?: object };
}

describe("waybill demo", () => {
  it("plays every scene with real answers, and one write is applied once", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout, stderr } = await world.run(["demo"]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const answers = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Answer);
    const [read] = answers;
    expect(read).toMatchObject({ ok: true, data: { nameWithOwner: "octo/hello" } });
    expect(answers.filter(({ meta }) => meta?.pagination !== undefined).length).toBeGreaterThan(1);
    expect(answers).toContainEqual(expect.objectContaining({ status: "success" }));
    expect(answers.map(({ meta }) => meta?.reason)).toContain("CLI_NOT_AVAILABLE");
    expect(answers.at(-1)).toEqual({ applied_by_github: 1 });
  });
});
