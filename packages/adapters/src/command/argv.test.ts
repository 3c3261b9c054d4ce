import { describe, expect, it } from "vitest";
import { refuseNul } from "./argv.ts";

describe("the arguments of a command", () => {
  it("the arguments of a command may hold anything but a NUL byte, which would end them early", () => {
    const details: unknown = expect.objectContaining({
      code: "VALIDATION",
      outcome: "not_applied",
    });
    expect(() => refuseNul(["api", "a\0b"])).toThrow(expect.objectContaining({ details }));
    expect(() => refuseNul(["--title=--web", "--", "-R evil/repo"])).not.toThrow();
  });
});
