import { afterEach, describe, expect, it } from "vitest";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

let embedded: Embedded | undefined;
afterEach(() => embedded?.close());

describe("chains over GitHub's node limit", () => {
  it("a chain of more than 500,000 GraphQL nodes is split into two documents that GitHub accepts", async () => {
    embedded = await startEmbedded();
    const input = { owner: "octo", name: "hello", first: 100 };
    const steps = Array.from({ length: 30 }, () => ({ task: "issue.list", input }));
    const { status } = await embedded.by("graphql").chain(steps);
    expect(status).toBe("success");
    const statuses = embedded.github.requests.map((request) => request.status);
    expect(statuses).toEqual([200, 200]);
  });
});
