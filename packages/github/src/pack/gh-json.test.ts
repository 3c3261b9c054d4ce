import { expect, it } from "vitest";
import { describeWithProgram } from "../../../../test/support/programs.ts";
import { ownWorlds } from "./fixtures/own-world.ts";

const HELLO = { owner: "octo", name: "hello" };
const start = ownWorlds();

describeWithProgram("gh", () => {
  it.each([
    ["repo.view", {}, "repo view"],
    ["pr.merge.status", { prNumber: 6 }, "pr view"],
  ])("the gh route requests JSON fields by name for %s", async (id, params, command) => {
    const { waybill } = await start();
    const options = { route: "cli", dry_run: true } as const;
    const { data } = await waybill.execute(id, { ...HELLO, ...params }, options);
    expect(JSON.stringify(data)).toContain(command.split(" ").join('","'));
    expect(JSON.stringify(data)).toMatch(/--json=\w+,/u);
  });

  it.each([
    ["the page for SSO", { "x-github-sso": "required; url=https://github.com/x" }, "https://"],
    [
      "the missing scope",
      { "x-oauth-scopes": "gist", "x-accepted-oauth-scopes": "repo" },
      "-s repo",
    ],
  ])("the error for a gh token that GitHub refuses names %s", async (_, headers, words) => {
    const embedded = await start();
    embedded.github.faults.inject({ kind: "status", status: 403, headers });
    const { error } = await embedded.by("cli").execute("repo.view", HELLO);
    expect(error?.code).toBe("AUTH");
    expect(error?.details?.["hint"]).toContain(words);
  });
});
