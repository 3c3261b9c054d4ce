import { describe, expect, it } from "vitest";
import type { PolicyConfig } from "./config.ts";
import { narrowPolicy } from "./narrow-policy.ts";

describe("narrowPolicy", () => {
  it.each<readonly [string, PolicyConfig, PolicyConfig, PolicyConfig]>([
    ["a user and a project without a policy", {}, {}, { confirm: "destructive" }],
    [
      "a project that is stricter",
      {},
      { read_only: true, confirm: "writes" },
      { read_only: true, confirm: "writes" },
    ],
    [
      "a project that would be laxer",
      { read_only: true },
      { read_only: false, confirm: "none" },
      { read_only: true, confirm: "destructive" },
    ],
    [
      "a project that turns raw operations on",
      { deny: ["a.*"], raw: ["github.b.*"] },
      { raw: ["*"] },
      { deny: ["a.*"], raw: ["github.b.*"], confirm: "destructive" },
    ],
    [
      "a user who turns all raw operations on",
      { deny: ["a.*"], raw: ["*"] },
      {},
      { deny: ["a.*"], raw: ["*"], confirm: "destructive" },
    ],
    [
      "a project that turns raw operations off",
      { deny: ["a.*"], raw: ["*"] },
      { allow: ["b.*"] },
      { allow: ["b.*"], deny: ["a.*"], confirm: "destructive" },
    ],
    [
      "a project that wants a person to approve",
      { approvals: "agent" },
      { approvals: "person" },
      { approvals: "person", confirm: "destructive" },
    ],
    [
      "a project that lets the agent approve",
      { approvals: "person" },
      { approvals: "agent" },
      { approvals: "person", confirm: "destructive" },
    ],
    ["a user who turned approvals off", { confirm: "none" }, {}, { confirm: "none" }],
    [
      "a project that requires the approval that the user turned off",
      { confirm: "none" },
      { confirm: "destructive" },
      { confirm: "destructive" },
    ],
    [
      "two deny lists",
      { deny: ["a.*"] },
      { deny: ["b.*"] },
      { deny: ["a.*", "b.*"], confirm: "destructive" },
    ],
    [
      "an allow list of the user only",
      { allow: ["a.*"] },
      {},
      { allow: ["a.*"], confirm: "destructive" },
    ],
    [
      "an allow list of the project only",
      {},
      { allow: ["a.*"] },
      { allow: ["a.*"], confirm: "destructive" },
    ],
    [
      "a project with a narrower allow list",
      { allow: ["a.*", "b.*"] },
      { allow: ["a.view"] },
      { allow: ["a.view"], confirm: "destructive" },
    ],
    [
      "a project with a wider allow list",
      { allow: ["a.view"] },
      { allow: ["*"] },
      { allow: ["a.view"], confirm: "destructive" },
    ],
    [
      "a project with a disjoint allow list",
      { allow: ["a.*"] },
      { allow: ["b.*"] },
      { allow: [], confirm: "destructive" },
    ],
    [
      "a project whose allow list only overlaps",
      { allow: ["a.*"] },
      { allow: ["*.view"] },
      { allow: [], confirm: "destructive" },
    ],
    [
      "a pattern of many stars",
      { allow: [`${"*a".repeat(40)}*`] },
      { allow: ["a".repeat(39)] },
      { allow: [], confirm: "destructive" },
    ],
    [
      "a dot that is not a wildcard",
      { allow: ["a.b"] },
      { allow: ["axb"] },
      { allow: [], confirm: "destructive" },
    ],
  ])(
    "narrowPolicy combines the policies of user and project for %s",
    (_name, user, project, both) => {
      expect(narrowPolicy(user, project)).toEqual(both);
    },
  );
});
