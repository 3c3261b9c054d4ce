import { memoryJournal } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

const PULL = {
  repo: "octo/hello",
  title: "Loud",
  head: "hubot:loud",
  base: "docs/usage",
  label: "bug",
};

async function open(): Promise<Embedded> {
  const embedded = await startEmbedded({ waybill: { journal: memoryJournal() } });
  onTestFinished(() => embedded.close());
  return embedded;
}

describe("pr.create with reviewers, labels, assignees or a milestone", () => {
  it("pr.create says that the pull request exists when a reviewer is refused, and a repeat creates no second pull request", async () => {
    const { waybill, github } = await open();
    const call = () =>
      waybill.execute("pr.create", { ...PULL, reviewer: "nobody-here" }, { idempotency_key: "k" });
    const { error } = await call();
    expect(error?.message).toContain("pr.create, step requested: ");
    expect(error).toMatchObject({
      details: {
        outcome: "applied",
        step: "requested",
        partial: { created: { number: 13, title: "Loud" }, labelled: { labels: ["bug"] } },
      },
    });
    expect(await call()).toMatchObject({ ok: false, meta: { replayed: true } });
    expect(github.applied()).toMatchObject({ createPull: 1, addLabels: 1 });
  });

  it("pr.create creates nothing when GitHub refuses the pull request", async () => {
    const { waybill, github } = await open();
    const { error } = await waybill.execute("pr.create", { ...PULL, head: "not-there" });
    expect(error?.details).toMatchObject({ outcome: "not_applied", step: "created" });
    expect(github.applied()).toEqual({});
  });

  it("pr.create finds the pull request whose response was lost, and continues with its labels", async () => {
    const { waybill, github } = await open();
    github.faults.inject({ kind: "drop", when: "after", match: { method: "POST" } });
    const { data, error } = await waybill.execute("pr.create", PULL, { idempotency_key: "k" });
    expect(error).toBeNull();
    expect(data).toMatchObject({ number: 13, labels: ["bug"] });
    expect(github.applied()).toEqual({ createPull: 1, addLabels: 1 });
  });

  it("pr.create sends one request on the requested route when there are no reviewers, labels or assignees", async () => {
    const { waybill, github } = await open();
    const { label: _label, ...plain } = PULL;
    const { meta } = await waybill.execute("pr.create", plain, { route: "graphql" });
    expect(meta.route_used).toBe("graphql");
    const both = await waybill.execute("pr.create", PULL, { route: "graphql" });
    expect(both.error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
    expect(github.applied()).toEqual({ createPull: 1 });
  });

  it("a dry run of pr.create shows all its requests", async () => {
    const { waybill, github } = await open();
    const { data } = await waybill.execute("pr.create", PULL, { dry_run: true });
    const { requests } = data as { requests: { step: string }[] };
    expect(new Set(requests.map(({ step }) => step))).toEqual(new Set(["created", "labelled"]));
    expect(github.applied()).toEqual({});
  });
});
