import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { githubDescription } from "./fixtures/described.ts";
import type { Json } from "./fixtures/described.ts";
import { startClient } from "./fixtures/client.ts";
import type { Client } from "./fixtures/client.ts";
import { isInputObject } from "./input.ts";
import { SERVED } from "./rest/match-route.ts";

/** Values of path parameters that exist, so that only the last object of a path is missing. */
const EXISTING: Readonly<Record<string, string>> = {
  owner: "octo",
  repo: "hello",
  org: "octo",
  username: "octocat",
  issue_number: "1",
  pull_number: "6",
  comment_id: "1001",
  review_id: "1001",
  project_number: "1",
};

const MISSING: Readonly<Record<string, string>> = {
  workflow_id: "nope.yml",
  sha: "0123456789012345678901234567890123456789",
  path: "nope/nope.txt",
  ref: "heads/nope",
  name: "NOPE",
  secret_name: "NOPE",
  gist_id: "01234567890123456789",
  owner: "nobody-here",
  repo: "nope",
  org: "nobody-here",
};

/** Operations that create the object, so a missing one is no error. */
const MAKES = [
  "PUT /repos/{owner}/{repo}/contents/{path}",
  "PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}",
];

/** Operations for which GitHub returns another status than 404. */
const OTHER_STATUS: Readonly<Record<string, number>> = {
  "POST /repos/{owner}/{repo}/statuses/{sha}": 422,
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": 422,
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}": 422,
};

function within(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((one, key) => (isInputObject(one) ? one[key] : undefined), value);
}

/** The example body in GitHub's description. */
function exampleBody(line: string): unknown {
  const [method = "", template = ""] = line.split(" ");
  const operation = within(githubDescription(), "paths", template, method.toLowerCase());
  const content = within(operation, "requestBody", "content", "application/json");
  const examples = Object.values((within(content, "examples") ?? {}) as Json);
  return within(examples[0], "value");
}

/** The path of an operation in which only the last object does not exist. */
function missingPath(template: string): string {
  const names = [...template.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name!);
  const filled = names.map((name, index) =>
    index === names.length - 1 ? (MISSING[name] ?? "987654321") : EXISTING[name]!,
  );
  return template.replaceAll(/\{\w+\}/gu, () => filled.shift()!);
}

const writes = SERVED.filter((line) => !line.startsWith("GET ") && line.includes("{"));
const tried = writes.filter((line) => !MAKES.includes(line));

let client: Client;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.emulator.close());

describe("writes to missing things", () => {
  it.each(tried)(
    "the GitHub emulator refuses a REST write to an object that does not exist, and changes nothing: %s",
    async (line) => {
      const [method = "", template = ""] = line.split(" ");
      const answer = await client.rest(`${method} ${missingPath(template)}`, exampleBody(line));
      expect([answer.status, client.emulator.applied()]).toEqual([OTHER_STATUS[line] ?? 404, {}]);
    },
  );
});

const REPO = "/repos/octo/hello";

/** Objects that can be deleted once, and the status of the second deletion. */
const DELETED: readonly (readonly [path: string, again: number])[] = [
  [`${REPO}/issues/comments/1001`, 404],
  [`${REPO}/labels/question`, 404],
  [`${REPO}/milestones/1`, 404],
  [`${REPO}/actions/variables/LEVEL`, 404],
  [`${REPO}/actions/secrets/TOKEN`, 404],
  [`${REPO}/actions/runs/1002`, 404],
  [`${REPO}/git/refs/heads/feature/locale`, 422],
  [`${REPO}/issues/1/labels/bug`, 404],
  ["/repos/octo/atlas", 404],
];

describe("deleted things", () => {
  it.each(DELETED)(
    "the GitHub emulator refuses the second deletion of an object and changes nothing: DELETE %s",
    async (path, again) => {
      const github = await startClient();
      onTestFinished(() => github.emulator.close());
      await github.rest(`POST ${REPO}/actions/variables`, { name: "LEVEL", value: "1" });
      const { body } = await github.rest(`GET ${REPO}/actions/secrets/public-key`);
      const sealed = { encrypted_value: "c2VhbGVk", key_id: body["key_id"] };
      await github.rest(`PUT ${REPO}/actions/secrets/TOKEN`, sealed);
      const first = await github.rest(`DELETE ${path}`);
      expect([200, 204]).toContain(first.status);
      const applied = github.emulator.applied();
      const second = await github.rest(`DELETE ${path}`);
      expect([second.status, github.emulator.applied()]).toEqual([again, applied]);
    },
  );
});
