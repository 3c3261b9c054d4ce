import { describe, expect, it } from "vitest";
import { ownWorlds } from "./fixtures/own-world.ts";

const HELLO = { owner: "octo", name: "hello", issueNumber: 1 };
const SSO = "https://github.com/orgs/octo/sso?authorization_request=A1";
const start = ownWorlds();

describe("hints for a refused token", () => {
  it.each([
    ["the URL for SSO", { "x-github-sso": `required; url=${SSO}` }, SSO],
    [
      "the permissions of a fine-grained token",
      { "x-accepted-github-permissions": "issues=write,metadata=read; contents=write" },
      "issues=write,metadata=read or contents=write",
    ],
    [
      "the scopes of a classic token",
      { "x-oauth-scopes": "gist", "x-accepted-oauth-scopes": "repo, public_repo" },
      "repo, public_repo",
    ],
  ])("the error for a token that GitHub refuses names %s", async (_what, headers, expected) => {
    const embedded = await start();
    for (const route of ["rest", "graphql", "cli"] as const) {
      embedded.github.faults.inject({ kind: "status", status: 403, headers });
      const { error } = await embedded.by(route).execute("issue.view", HELLO);
      expect(error).toMatchObject({
        code: "AUTH",
        details: { hint: expect.stringContaining(expected) as string },
      });
    }
  });
});
