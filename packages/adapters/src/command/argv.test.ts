import { describe, expect, it } from "vitest";
import { refuseNul } from "./argv.ts";

describe("refuseNul", () => {
  it("refuseNul refuses arguments that contain a NUL byte, and accepts all other arguments", () => {
    const details: unknown = expect.objectContaining({
      code: "VALIDATION",
      outcome: "not_applied",
    });
    expect(() => refuseNul(["api", "a\0b"])).toThrow(expect.objectContaining({ details }));
    expect(() => refuseNul(["--title=--web", "--", "-R evil/repo"])).not.toThrow();
  });
});
