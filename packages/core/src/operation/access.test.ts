import { describe, expect, it } from "vitest";
import { accessDenial } from "./index.ts";
import type { AccessControl, Identity } from "./index.ts";

function someone(scopes: readonly string[], resources?: Identity["resources"]): Identity {
  return resources === undefined ? { id: "ada", scopes } : { id: "ada", scopes, resources };
}

describe("who may call", () => {
  it("every caller has access to an operation without access rules", () => {
    expect(accessDenial(undefined, undefined)).toBeUndefined();
    expect(accessDenial({}, undefined)).toBeUndefined();
    expect(accessDenial({ all: [], any: [] }, undefined)).toBeUndefined();
  });

  it("a caller without an identity has no access to an operation with access rules", () => {
    expect(accessDenial({ all: ["repo"] }, undefined)).toBe("needs the scope repo");
    expect(accessDenial({ any: ["repo"] }, undefined)).toBe("needs one of the scopes repo");
    expect(accessDenial({ resource: "issue" }, undefined)).toBe("needs access on issue");
  });

  const cases: readonly [string, AccessControl, Identity, string | undefined][] = [
    ["has all required scopes", { all: ["a", "b"] }, someone(["a", "b", "c"]), undefined],
    ["lacks one of two required scopes", { all: ["a", "b"] }, someone(["a"]), "needs the scope b"],
    ["lacks two required scopes", { all: ["a", "b"] }, someone([]), "needs the scope a and b"],
    ["has one of the alternative scopes", { any: ["a", "b"] }, someone(["b"]), undefined],
    [
      "has none of the alternative scopes",
      { any: ["a", "b"] },
      someone(["c"]),
      "needs one of the scopes a, b",
    ],
    [
      "has the required scope but none of the alternative scopes",
      { all: ["a"], any: ["b"] },
      someone(["a"]),
      "needs one of the scopes b",
    ],
    [
      "may do the required action",
      { resource: "issue", action: "close" },
      someone([], { issue: ["close"] }),
      undefined,
    ],
    [
      "may do every action on the resource",
      { resource: "issue", action: "close" },
      someone([], { issue: ["*"] }),
      undefined,
    ],
    [
      "may do only another action",
      { resource: "issue", action: "close" },
      someone([], { issue: ["view"] }),
      "needs close on issue",
    ],
    [
      "may do every action on another resource",
      { resource: "issue", action: "close" },
      someone([], { pr: ["*"] }),
      "needs close on issue",
    ],
    [
      "may do one action but the rule names only the resource",
      { resource: "issue" },
      someone([], { issue: ["view"] }),
      "needs access on issue",
    ],
    [
      "has the required scope but may not do the action",
      { all: ["a"], resource: "issue", action: "close" },
      someone(["a"]),
      "needs close on issue",
    ],
  ];
  it.each(cases)("accessDenial returns $3 if the caller %s", (_what, access, identity, denial) => {
    expect(accessDenial(access, identity)).toBe(denial);
  });

  it("inherited members of an identity give no access", () => {
    const access = { resource: "constructor", action: "name" };
    expect(accessDenial(access, someone([], {}))).toBe("needs name on constructor");
    expect(accessDenial({ resource: "__proto__" }, someone([]))).toBe("needs access on __proto__");
  });
});
