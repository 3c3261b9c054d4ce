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

describe("input forms that agents use", () => {
  it.each([
    [
      { owner: "octo", repo: "hello" },
      { owner: "octo", name: "hello" },
    ],
    [{ repo: "octo/hello" }, { owner: "octo", name: "hello" }],
    [{ repository: "octo/hello" }, { owner: "octo", name: "hello" }],
    [{ repo: "https://github.com/octo/hello" }, { owner: "octo", name: "hello" }],
    [{ repo: "octo/hello#7" }, { owner: "octo", name: "hello", issueNumber: 7 }],
    [
      { repository: "octo/hello#7", number: "7" },
      { owner: "octo", name: "hello", issueNumber: "7" },
    ],
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
  ])("GitHub capabilities read the input %j as %j", (written, meant) => {
    expect(normaliseInput(written, issue)).toEqual(meant);
  });

  it.each([
    "https://github.com/octo/hello.git",
    "https://github.com/octo/hello/",
    "git@github.com:octo/hello.git",
    "ssh://git@github.com/octo/hello.git",
    "github.com/octo/hello",
    "www.github.com/octo/hello",
  ])("GitHub capabilities read the repository from %s", (repo) => {
    const meant = { owner: "octo", name: "hello" };
    expect(normaliseInput({ repo }, issue, undefined, "github.com")).toEqual(meant);
    expect(normaliseInput({ url: repo }, issue, undefined, "github.com")).toEqual(meant);
    const read = () => normaliseInput({ repo }, issue, undefined, "ghe.test");
    expect(read).toThrow("Invalid input for thing.do");
  });

  it("GitHub capabilities reject a reference whose number contradicts the number input, or that has an extra number", () => {
    const repo = "octo/hello#6";
    expect(normaliseInput({ repo }, pull)).toEqual({ owner: "octo", name: "hello", prNumber: 6 });
    expect(() => normaliseInput({ repo, number: 7 }, pull)).toThrow(
      "/repo means prNumber=6, but prNumber=7 was passed too",
    );
    const label = specWith({ owner: TEXT, name: TEXT, label: TEXT });
    expect(() => normaliseInput({ repo, label: "bug" }, label)).toThrow(
      "/repo must be owner/name; this capability has no input for #6",
    );
  });

  it("GitHub capabilities accept other names for the number of a pull request", () => {
    expect(normaliseInput({ pr_number: 3 }, pull)).toEqual({ prNumber: 3 });
    expect(normaliseInput({ pull_number: 3 }, pull)).toEqual({ prNumber: 3 });
    expect(normaliseInput({ number: 3 }, pull)).toEqual({ prNumber: 3 });
  });

  it("project capabilities read the URL of a project of a user or an organization", () => {
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
  ])("workflow capabilities read the workflow %j as %j", (workflowId, meant) => {
    const workflow = specWith({ workflowId: { type: ["integer", "string"] } });
    expect(normaliseInput({ workflowId }, workflow)).toEqual({ workflowId: meant });
  });

  it("GitHub capabilities reject a URL of another host", () => {
    const elsewhere = { issueNumber: "https://ghe.test/octo/hello/issues/7" };
    const read = () => normaliseInput(elsewhere, issue, undefined, "github.com");
    expect(read).toThrow("/issueNumber is an address on ghe.test, but calls go to github.com");
    const here = { issueNumber: "https://www.github.com/octo/hello/issues/7" };
    const meant = { owner: "octo", name: "hello", issueNumber: 7 };
    expect(normaliseInput(here, issue, undefined, "github.com")).toEqual(meant);
  });

  it("an input that takes the URL of an issue normalizes the URL", () => {
    const card = specWith({ owner: TEXT, issueUrl: TEXT });
    const read = (issueUrl: string) => normaliseInput({ issueUrl }, card, undefined, "github.com");
    const page = "https://github.com/octo/hello";
    expect(read("http://www.github.com/octo/hello/pull/7/files#diff")).toEqual({
      issueUrl: `${page}/pull/7`,
    });
    expect(() => read(`${page}/discussions/7`)).toThrow("not of a discussion");
    expect(() => read("https://ghe.test/octo/hello/issues/7")).toThrow("ghe.test");
  });

  const PAGE = "https://github.com/octo/hello";
  const REPOSITORY = { owner: TEXT, name: TEXT };
  const HELLO = { owner: "octo", name: "hello" };

  it.each([
    [
      "issueNumber",
      "/discussions/2",
      "takes the address of an issue or a pull request, not of a d",
    ],
    [
      "url",
      "/milestone/1",
      "is the address of a milestone, which this capability has no input for",
    ],
    ["repo", "/actions/runs/5", "is the address of a run"],
    ["issueNumber", "", "takes the address of an issue or a pull request, not of a repository"],
    ["issueNumber", "/../..", "is not the address of a GitHub page"],
  ])("GitHub capabilities reject the URL of another kind of page: %s=…%s", (name, path, said) => {
    expect(() => normaliseInput({ [name]: `${PAGE}${path}` }, issue)).toThrow(`/${name} ${said}`);
  });

  it("GitHub capabilities reject the URL of an issue for a pull request, and of a run for a job", () => {
    expect(() => normaliseInput({ pr: `${PAGE}/issues/2` }, pull)).toThrow("not of an issue");
    const job = specWith({ ...REPOSITORY, jobId: NUMBER });
    expect(() => normaliseInput({ jobId: `${PAGE}/actions/runs/2` }, job)).toThrow("not of a run");
  });

  it.each([
    ["runId", "actions/runs/1002", { runId: 1002 }],
    ["runId", "actions/runs/1002/job/1004", { runId: 1002 }],
    ["jobId", "actions/runs/1002/attempts/2/job/1004?pr=6#step:2:1", { jobId: 1004 }],
    ["milestoneNumber", "milestone/3", { milestoneNumber: 3 }],
    ["url", "milestone/3", { milestoneNumber: 3 }],
    ["url", "actions/runs/1002/job/1004", { jobId: 1004 }],
    ["url", "pull/6", { prNumber: 6 }],
    ["url", "actions/workflows/ci.yml", { workflowId: "ci.yml" }],
    ["parentIssueNumber", "issues/4", { parentIssueNumber: 4 }],
  ])(
    "GitHub capabilities read a number or workflow from a page URL: %s=…/%s",
    (name, path, meant) => {
      const names = ["prNumber", "issueNumber", "runId", "jobId", "milestoneNumber"];
      const others = ["parentIssueNumber", "workflowId"];
      const numbers = Object.fromEntries([...names, ...others].map((each) => [each, NUMBER]));
      const all = specWith({ ...REPOSITORY, ...numbers });
      expect(normaliseInput({ [name]: `${PAGE}/${path}` }, all)).toEqual({ ...HELLO, ...meant });
    },
  );

  it("GitHub capabilities reject the URL of a review comment for an issue comment", () => {
    const comment = specWith({ ...REPOSITORY, commentId: NUMBER });
    const thread = specWith({ ...REPOSITORY, threadId: TEXT, commentId: NUMBER });
    const [plain, review] = [`${PAGE}/pull/6#issuecomment-5`, `${PAGE}/pull/6#discussion_r5`];
    const meant = { ...HELLO, commentId: 5 };
    expect(normaliseInput({ commentId: plain }, comment)).toEqual(meant);
    expect(normaliseInput({ url: review }, thread)).toEqual(meant);
    expect(() => normaliseInput({ commentId: review }, comment)).toThrow("#issuecomment-");
    expect(() => normaliseInput({ commentId: plain }, thread)).toThrow("#discussion_r");
  });

  const ISSUE_OF_ATLAS = "https://github.com/octo/atlas/issues/1";
  it.each([
    [{ owner: "octo", name: "hello", issueNumber: ISSUE_OF_ATLAS }, /name=atlas.*name=hello/],
    [{ owner: "cat", issueNumber: ISSUE_OF_ATLAS }, /owner=octo.*owner=cat/],
    [{ url: ISSUE_OF_ATLAS, issueNumber: "#2" }, /issueNumber=1.*issueNumber=#2/],
    [{ repo: "octo/hello", url: ISSUE_OF_ATLAS }, /name=atlas.*name=hello/],
    [{ owner: "a", name: "d", repo: "c/d" }, /owner=c.*owner=a/],
  ])("GitHub capabilities reject contradicting inputs: %j", (written, said) => {
    expect(() => normaliseInput(written, issue)).toThrow(said);
  });

  it("GitHub capabilities reject the URL of a workflow or comment in another repository", () => {
    const workflowId = "https://github.com/octo/atlas/actions/workflows/ci.yml";
    const workflow = specWith({ ...REPOSITORY, workflowId: TEXT });
    expect(() => normaliseInput({ ...HELLO, workflowId }, workflow)).toThrow(/name=atlas/);
    expect(normaliseInput({ workflowId }, workflow, HELLO)).toEqual({
      owner: "octo",
      name: "atlas",
      workflowId: "ci.yml",
    });
    const commentId = `${ISSUE_OF_ATLAS}#issuecomment-5`;
    const comment = specWith({ ...REPOSITORY, commentId: NUMBER });
    expect(() => normaliseInput({ ...HELLO, commentId }, comment)).toThrow(/name=atlas/);
  });

  it("GitHub capabilities accept two inputs with an equal value, in any letter case", () => {
    const written = { owner: "Octo", name: "Atlas", issueNumber: "#1", url: ISSUE_OF_ATLAS };
    expect(normaliseInput(written, issue)).toEqual({
      owner: "Octo",
      name: "Atlas",
      issueNumber: "1",
    });
  });

  it.each([0, "0", "01", "-1", "1.5", 1.5, "", "seven", "2147483648", 2_147_483_648])(
    "GitHub capabilities explain the range of numbers when they reject the number %j",
    (issueNumber) => {
      const given = JSON.stringify(issueNumber);
      const said = `/issueNumber must be a whole number from 1 to 2147483647, not ${given}`;
      expect(() => normaliseInput({ issueNumber }, issue)).toThrow(said);
    },
  );

  it("GitHub capabilities accept the largest issue number and a larger run id", () => {
    const last = { issueNumber: 2_147_483_647 };
    expect(normaliseInput(last, issue)).toEqual(last);
    const run = { runId: "17000000001" };
    expect(normaliseInput(run, specWith({ runId: NUMBER }))).toEqual(run);
  });

  const unreadable: readonly object[] = [
    { number: { $from: "made.data.number" } },
    { constructor: 1 },
  ];
  it.each(unreadable.map((written) => [written]))(
    "an input that cannot be parsed reaches validation unchanged: %j",
    (written) => {
      expect(() => normaliseInput({ ...written }, issue)).not.toThrow();
    },
  );

  it("the default repository is filled in only when the input names no repository", () => {
    const here = { owner: "octo", name: "hello" };
    expect(normaliseInput({ number: 1 }, issue, here)).toEqual({ ...here, issueNumber: 1 });
    expect(normaliseInput({ owner: "other" }, issue, here)).toEqual({ owner: "other" });
    expect(normaliseInput({}, specWith({ threadId: TEXT }), here)).toEqual({});
  });
});
