import { createHttpTransport } from "@waybill/adapters/http";
import { briefText, createWaybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKENS, startGithubEmulator } from "../emulator/index.ts";
import { githubSource } from "./source.ts";

async function openWaybill() {
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  const place = {
    host: "github.com",
    restUrl: github.url,
    graphqlUrl: `${github.url}/graphql`,
    token: TOKENS.octocat,
    ghToken: TOKENS.octocat,
    ghConfigDir: null,
  };
  const around = { env: {}, transport: createHttpTransport(), userAgent: "waybill-test" };
  const source = githubSource(place, around);
  const waybill = createWaybill({ sources: [source], policy: { confirm: "none" } });
  onTestFinished(() => waybill.close());
  return waybill;
}

const repo = "octo/hello";

describe("brief answers of GitHub", () => {
  it("the brief answer to a GitHub write shows the written values and names the omitted ids and times", async () => {
    const waybill = await openWaybill();
    const write = async (id: string, params: object): Promise<string> => {
      const result = await waybill.execute(id, { repo, ...params }, { brief: true });
      return briefText({ ...result, meta: { ...result.meta, warnings: [] } });
    };
    expect(await write("issue.comments.create", { number: 1, body: "Seen." })).toBe(
      '{"body":"Seen."}\t+id,createdAt,url',
    );
    expect(await write("issue.close", { number: 1 })).toBe(
      '{"number":1,"state":"CLOSED","stateReason":"COMPLETED"}\t+id,closed,closedAt',
    );
    expect(await write("issue.assignees.add", { number: 1, assignees: ["octocat"] })).toBe(
      '{"added":["octocat"],"assignees":["monalisa","octocat"],"number":1}\t+issueNumber',
    );
    expect(await write("label.create", { label: "new", color: "ff0000" })).toBe(
      '{"name":"new","color":"ff0000","description":null}\t+id',
    );
  });

  it("brief GitHub lists show each value once and omit node ids", async () => {
    const waybill = await openWaybill();
    const header = async (id: string, params: object): Promise<string | undefined> => {
      const result = await waybill.execute(id, { repo, ...params }, { brief: true });
      return briefText(result).split("\n", 1)[0];
    };
    expect(await header("issue.comments.list", { number: 1 })).toMatch(/\t\+authorLogin$/u);
    expect(await header("pr.list", {})).toMatch(/^number\ttitle\t.*\t\+id,url$/u);
  });

  it("brief GitHub answers keep ids that other capabilities need", async () => {
    const waybill = await openWaybill();
    const ids = ["notification.list", "project_v2.items.list", "pr.threads.list", "gist.create"];
    const specs = await waybill.operations(ids);
    const leftOut = specs.map(({ id, rareFields = [] }) => [id, rareFields.includes("id")]);
    expect(Object.fromEntries(leftOut)).toEqual({
      "notification.list": false,
      "project_v2.items.list": false,
      "pr.threads.list": false,
      "gist.create": true,
    });
  });
});
