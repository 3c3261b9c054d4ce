import { describe, expect, it } from "vitest";
import { refuseNul } from "./argv.ts";

describe("refuseNul", () => {
  it("refuses only arguments that contain a NUL byte", () => {
    const details: unknown = expect.objectContaining({
      code: "VALIDATION",
      outcome: "not_applied",
    });
    expect(() => refuseNul(["api", "a\0b"])).toThrow(expect.objectContaining({ details }));
    expect(() => refuseNul(["--title=--web", "--", "-R evil/repo"])).not.toThrow();
  });
});
