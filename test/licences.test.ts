import { describe, expect, it } from "vitest";
import { refusedLicences } from "../scripts/licences.mjs";

describe("licences of a release", () => {
  it.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0)", true],
    ["(Apache-2.0 AND BSD-3-Clause)", true],
    ["(Apache-2.0 AND GPL-3.0)", false],
    ["GPL-3.0 AND (MIT OR ISC)", false],
    ["GPL-3.0", false],
  ])("a release with a library under the licence %s is allowed: %s", (expression, isAllowed) => {
    const library = { name: "library", version: "1.0.0", licenses: [{ expression }] };
    expect(refusedLicences({ components: [library] }).length === 0).toBe(isAllowed);
  });
});
