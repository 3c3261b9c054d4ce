import { readFileSync } from "node:fs";
import { GraphQLError, isObjectType, validateSchema } from "graphql";
import type { GraphQLSchema } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { loadSchema, readSchemaText } from "../schema/index.ts";
import { loadDescription } from "../description/index.ts";
import { TYPES } from "./graphql/types/index.ts";
import { SERVED } from "./rest/match-route.ts";
import { LENIENCIES } from "./rest/leniency.ts";

describe("served operations", () => {
  let schema: GraphQLSchema;
  beforeAll(async () => {
    schema = await loadSchema();
  });

  it("the GitHub emulator serves only REST operations of GitHub's description, plus four undocumented operations", async () => {
    const { paths } = await loadDescription();
    const unknown = SERVED.filter((key) => {
      const [method = "", template = ""] = key.split(" ");
      return paths[template]?.[method.toLowerCase()] === undefined;
    });
    // Undocumented requests that clients send and GitHub answers.
    expect(unknown).toEqual([
      "GET /repos/{owner}/{repo}/contents",
      "GET /repos/{owner}/{repo}/zipball",
      "GET /repos/{owner}/{repo}/tarball",
      "POST /gists/{gist_id}",
    ]);
  });

  it("the GitHub emulator serves as many operations as its documentation says", () => {
    const page = readFileSync(
      new URL("../../../../docs/guides/github-emulator.md", import.meta.url),
      "utf8",
    );
    expect(page).toContain(`${SERVED.length} operations`);
    for (const { accepts } of LENIENCIES) expect(page.replaceAll(/\s+/g, " ")).toContain(accepts);
  });

  it("the GitHub emulator serves only types of GitHub's GraphQL schema", () => {
    const unknown = Object.keys(TYPES).filter((name) => !isObjectType(schema.getType(name)));
    expect(unknown).toEqual([]);
  });

  it("the GitHub emulator uses a GraphQL schema that stays valid with the emulator's additions", async () => {
    expect(await readSchemaText()).toContain("input AddBlockedByInput");
    expect(validateSchema(schema).filter((one) => one instanceof GraphQLError)).toEqual([]);
  });
});
