import { describe, expect, it } from "vitest";
import { ownWorlds } from "./fixtures/own-world.ts";

const open = ownWorlds({ clock: () => new Date() });
const repo = "octo/hello";

describe("inputs whose value Waybill reads from GitHub", () => {
  it("@me stands for the caller's login in lists of assignees and reviewers", async () => {
    const { waybill } = await open();
    const created = await waybill.execute("issue.create", { repo, title: "T", assignee: "@me" });
    expect(created.data).toMatchObject({ assignees: ["octocat"] });
    const edit = { repo, number: 1, "add-assignee": "@me", "remove-assignee": "monalisa" };
    const { data } = await waybill.execute("issue.edit", edit);
    expect(data).toMatchObject({ assignees: ["octocat"] });
  });

  it("a write with @me whose response is lost is found under the caller's login", async () => {
    const { waybill, github } = await open();
    github.faults.inject({ kind: "drop", when: "after", match: { isWrite: true } });
    const input = { repo, title: "Lost", assignee: "@me" };
    const { data } = await waybill.execute("issue.create", input, { route: "graphql" });
    expect(data).toMatchObject({ assignees: ["octocat"] });
  });

  it("repo.create accepts the caller's own login as the owner", async () => {
    const { waybill } = await open();
    const { data } = await waybill.execute("repo.create", { repo: "OctoCat/made" });
    expect(data).toMatchObject({ nameWithOwner: "octocat/made" });
    const org = await waybill.execute("repo.create", { repo: "octo/made" });
    expect(org.data).toMatchObject({ nameWithOwner: "octo/made" });
  });

  it("workflow.dispatch without a ref uses the default branch", async () => {
    const { waybill } = await open();
    const input = { repo, workflow: "publish.yml", field: ["version=1", "dry_run=true"] };
    const { data } = await waybill.execute("workflow.dispatch", input);
    expect(data).toMatchObject({ ref: "main", dispatched: true });
  });
});

describe("forms of inputs", () => {
  it("the GitHub pack reads page=2 as the second page of a list's REST route", async () => {
    const { waybill } = await open();
    const input = { repo, state: "all", per_page: 2 };
    const titles = async (more: object): Promise<string[]> => {
      const { data, error } = await waybill.execute("issue.list", { ...input, ...more });
      expect(error).toBeNull();
      return (data as { items: { title: string }[] }).items.map(({ title }) => title);
    };
    const first = await titles({ page: 1 });
    const second = await titles({ page: "2" });
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((title) => first.includes(title))).toEqual([]);
  });

  it("branch inputs accept a branch name that starts with refs/heads/", async () => {
    const { waybill } = await open();
    const { data } = await waybill.execute("branch.create", { repo, branch: "refs/heads/x" });
    expect(data).toMatchObject({ name: "x" });
  });

  it("a list input is split at its commas under every alias of the input", async () => {
    const { waybill } = await open();
    const input = { repo, number: 2, "add-label": "bug,help wanted" };
    const { data } = await waybill.execute("issue.update", input);
    const { labels } = data as { labels: string[] };
    expect(labels.toSorted()).toEqual(["bug", "enhancement", "help wanted"]);
  });
});
