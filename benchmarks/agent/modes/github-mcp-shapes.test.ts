import { expect, it } from "vitest";
import { definitionCounts } from "./github-mcp-definitions.ts";
import { shapedAnswer } from "./github-mcp-shapes.ts";

it("the simulated answers of GitHub's MCP server have only the fields that the server returns, in lists with a count as well", () => {
  const run = { id: 1, name: "CI", node_id: "x", conclusion: "success" };
  expect(shapedAnswer(JSON.stringify({ total_count: 1, workflow_runs: [run] }), "run")).toBe(
    '{"total_count":1,"workflow_runs":[{"id":1,"name":"CI","conclusion":"success"}]}',
  );
});

it("the simulated answers of GitHub's MCP server have names for labels and logins for users", () => {
  const issue = {
    number: 1,
    labels: [{ name: "bug", color: "f00" }],
    user: { login: "mona", type: "User" },
  };
  expect(shapedAnswer(JSON.stringify(issue), "issue")).toBe(
    '{"number":1,"user":{"login":"mona"},"labels":["bug"]}',
  );
});

it("the simulated answers of GitHub's MCP server leave pull requests out of issues, and decode a file's text", () => {
  const listed = [
    { number: 1, title: "a" },
    { number: 2, title: "b", pull_request: {} },
  ];
  expect(shapedAnswer(JSON.stringify(listed), "number_title")).toBe('[{"number":1,"title":"a"}]');
  expect(shapedAnswer('{"content":"SG9sYS4="}', "file_text")).toBe("Hola.");
});

function startTokens(tools: readonly string[]): number {
  return definitionCounts(tools).reduce((all, [, count]) => all + count, 0);
}

it("the definitions of a toolset of GitHub's MCP server are counted only when one of its tools is used", () => {
  const actions = startTokens(["actions_list", "get_job_logs"]);
  expect(actions - startTokens(["issue_read"])).toBe(1_271);
});
