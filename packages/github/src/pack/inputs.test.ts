import { describe, expect, it } from "vitest";
import type { OperationSpec } from "@waybill/core";
import { normaliseInput } from "./inputs.ts";

function specWith(properties: Record<string, object>): OperationSpec {
  return {
    id: "thing.do",
    description: "",
    effect: "read",
    idempotent: true,
    kind: "call",
    inputSchema: { type: "object", properties },
    outputSchema: true,
  };
}

const TEXT = { type: "string" };
const NUMBER = { type: "integer" };
const issue = specWith({
  owner: TEXT,
  name: TEXT,
  issueNumber: NUMBER,
  state: { enum: ["open", "closed"] },
  kinds: { type: "array", items: { enum: ["BUG"] } },
});
const pull = specWith({ owner: TEXT, name: TEXT, prNumber: NUMBER });

describe("what agents write instead", () => {
  it.each([
    [
      { owner: "octo", repo: "hello" },
      { owner: "octo", name: "hello" },
    ],
    [{ repo: "octo/hello" }, { owner: "octo", name: "hello" }],
    [{ repository: "octo/hello" }, { owner: "octo", name: "hello" }],
    [{ repo: "https://github.com/octo/hello" }, { owner: "octo", name: "hello" }],
    [{ issue_number: 7 }, { issueNumber: 7 }],
    [{ number: "7" }, { issueNumber: "7" }],
    [{ issue: "#7" }, { issueNumber: "7" }],
    [
      { issueNumber: "https://github.com/octo/hello/issues/7#issuecomment-1" },
      { owner: "octo", name: "hello", issueNumber: 7 },
    ],
    [
      { url: "https://github.com/octo/hello/pull/7/files" },
      { owner: "octo", name: "hello", issueNumber: 7 },
    ],
    [
      { state: "OPEN", kinds: ["bug", "other"] },
      { state: "open", kinds: ["BUG", "other"] },
    ],
  ])("%j is %j", (written, meant) => {
    expect(normaliseInput(written, issue)).toEqual(meant);
  });

  it("names the number of a pull request as that", () => {
    expect(normaliseInput({ pr_number: 3 }, pull)).toEqual({ prNumber: 3 });
    expect(normaliseInput({ pull_number: 3 }, pull)).toEqual({ prNumber: 3 });
    expect(normaliseInput({ number: 3 }, pull)).toEqual({ prNumber: 3 });
  });

  it("reads the address of a project as that, whoever owns it", () => {
    const url = "https://github.com/orgs/octo/projects/3/views/1";
    const number = { projectNumber: NUMBER };
    expect(normaliseInput({ url }, specWith({ owner: TEXT, ...number }))).toEqual({
      owner: "octo",
      projectNumber: 3,
    });
    expect(normaliseInput({ project: url }, specWith({ org: TEXT, ...number }))).toEqual({
      org: "octo",
      projectNumber: 3,
    });
  });

  it.each([
    ["ci.yml", "ci.yml"],
    [".github/workflows/ci.yml", "ci.yml"],
    ["https://github.com/octo/hello/actions/workflows/ci.yml", "ci.yml"],
    [7, 7],
  ])("knows the workflow %j by %j", (workflowId, meant) => {
    const workflow = specWith({ workflowId: { type: ["integer", "string"] } });
    expect(normaliseInput({ workflowId }, workflow)).toEqual({ workflowId: meant });
  });

  it("leaves an address of another host, which is somewhere else", () => {
    const elsewhere = { issueNumber: "https://ghe.test/octo/hello/issues/7" };
    expect(normaliseInput(elsewhere, issue, undefined, "github.com")).toEqual(elsewhere);
    const here = { issueNumber: "https://www.github.com/octo/hello/issues/7" };
    const meant = { owner: "octo", name: "hello", issueNumber: 7 };
    expect(normaliseInput(here, issue, undefined, "github.com")).toEqual(meant);
  });

  it("never overrules what is said in its proper place", () => {
    const written = { owner: "a", name: "b", repo: "c/d", issueNumber: 1, number: 2 };
    expect(normaliseInput(written, issue)).toEqual({
      owner: "a",
      name: "b",
      issueNumber: 1,
      number: 2,
    });
  });

  const unreadable: readonly object[] = [
    { issueNumber: "https://github.com/octo/hello" },
    { number: { $from: "made.data.number" } },
    { constructor: 1 },
  ];
  it.each(unreadable.map((written) => [written]))("leaves %j for the check", (written) => {
    expect(() => normaliseInput({ ...written }, issue)).not.toThrow();
  });

  it("fills in the repository at hand only where none is named", () => {
    const here = { owner: "octo", name: "hello" };
    expect(normaliseInput({ number: 1 }, issue, here)).toEqual({ ...here, issueNumber: 1 });
    expect(normaliseInput({ owner: "other" }, issue, here)).toEqual({ owner: "other" });
    expect(normaliseInput({}, specWith({ threadId: TEXT }), here)).toEqual({});
  });
});
