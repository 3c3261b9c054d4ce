import { memoryJournal } from "@waybill/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

const HELLO = { owner: "octo", name: "hello" };
const KEY = { idempotency_key: "key-1" };
const ISSUE = { ...HELLO, title: "Lost", body: "Once" };
const EVER = 1_000;
/** The answer of GitHub's GraphQL API for a repository that the caller may not see. */
const MISSING = {
  kind: "status",
  status: 200,
  times: EVER,
  body: JSON.stringify({
    data: { viewer: { login: "octocat" }, repository: null },
    errors: [{ type: "NOT_FOUND", path: ["repository"], message: "Could not resolve" }],
  }),
} as const;

let embedded: Embedded | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await embedded?.close();
});

async function start(): Promise<Embedded> {
  const journal = memoryJournal();
  embedded = await startEmbedded({ clock: () => new Date(), waybill: { journal } });
  return embedded;
}

/** Changes the clock of this process, which the embedded GitHub also uses. */
function letTimePass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

function made({ github }: Embedded): number {
  return github.applied()["createIssue"] ?? 0;
}

describe("repeat with the same key after an unknown outcome", () => {
  it("a repeat with the same key finds the write whose response was lost, and later repeats replay its result", async () => {
    const world = await start();
    const { github, waybill } = world;
    const before = made(world);
    github.faults.inject({ kind: "drop", when: "after", match: { isWrite: true } });
    // All probes fail too.
    github.faults.inject({ kind: "status", status: 502, times: EVER, match: { path: "/graphql" } });
    const rest = { path: "/repos/octo/hello/issues", method: "GET" };
    github.faults.inject({ kind: "status", status: 502, times: EVER, match: rest });
    const first = await waybill.execute("issue.create", ISSUE, { ...KEY, route: "rest" });
    expect(first.error?.details).toMatchObject({ outcome: "unknown" });
    github.faults.clear();
    const repeat = await waybill.execute("issue.create", ISSUE, { ...KEY, route: "rest" });
    expect(made(world) - before).toBe(1);
    if (!repeat.ok) return;
    const third = await waybill.execute("issue.create", ISSUE, { ...KEY, route: "rest" });
    expect(third).toMatchObject({ ok: true, data: repeat.data, meta: { replayed: true } });
    expect(made(world) - before).toBe(1);
  });

  it("a repeat with the same key sends the write again only after the first request must have ended", async () => {
    const world = await start();
    const { github, waybill } = world;
    const before = made(world);
    const match = { operation: "createIssue" };
    github.faults.inject({ kind: "drop", when: "before", times: EVER, match });
    const options = { ...KEY, route: "graphql" } as const;
    const first = await waybill.execute("issue.create", ISSUE, options);
    expect(first.error?.details).toMatchObject({ outcome: "unknown" });
    github.faults.clear();
    const soon = await waybill.execute("issue.create", ISSUE, options);
    expect(soon.error?.details).toMatchObject({
      outcome: "unknown",
      probe: "The probe did not find the object",
    });
    expect(made(world) - before).toBe(0);
    letTimePass(20_000);
    const later = await waybill.execute("issue.create", ISSUE, options);
    expect([later.ok, made(world) - before]).toEqual([true, 1]);
  });

  it.each(["graphql", "rest"] as const)(
    "a repeat with the same key sends nothing on the %s route while the repository cannot be read",
    async (route) => {
      const world = await start();
      const { github, waybill } = world;
      const before = made(world);
      github.faults.inject({ kind: "drop", when: "after", match: { isWrite: true } });
      github.store.watch(() => {
        const match = { isWrite: false };
        github.faults.inject({ ...MISSING, match: { ...match, path: "/graphql" } });
        github.faults.inject({ kind: "status", status: 404, times: EVER, match });
      });
      const options = { ...KEY, route };
      const first = await waybill.execute("issue.create", ISSUE, options);
      letTimePass(20_000);
      const later = await waybill.execute("issue.create", ISSUE, options);
      for (const { error } of [first, later]) {
        expect(error?.details).toMatchObject({
          outcome: "unknown",
          probe: "The probe could not read what contains the object",
        });
      }
      expect(made(world) - before).toBe(1);
    },
  );

  it("a repeat with the same key sends nothing when the list that verifies the write has no object from before the write", async () => {
    const world = await start();
    const { github, waybill } = world;
    const before = made(world);
    github.faults.inject({ kind: "drop", when: "after", match: { isWrite: true } });
    github.store.watch(() => {
      const empty = { kind: "status", status: 200, body: "[]", times: EVER } as const;
      github.faults.inject({ ...empty, match: { isWrite: false } });
    });
    const options = { ...KEY, route: "rest" } as const;
    await waybill.execute("issue.create", ISSUE, options);
    letTimePass(20_000);
    const later = await waybill.execute("issue.create", ISSUE, options);
    expect(later.error?.details).toMatchObject({
      outcome: "unknown",
      probe: "The probe could not read all objects that were created since this call",
    });
    expect(made(world) - before).toBe(1);
  });

  it("a delete is not reported as not_applied when its first request was applied late", async () => {
    const world = await start();
    const { github, waybill } = world;
    const label = { ...HELLO, label: "wontfix" };
    const options = { ...KEY, route: "rest" } as const;
    const match = { isWrite: true };
    github.faults.inject({ kind: "drop", when: "before", times: EVER, match });
    const first = await waybill.execute("label.delete", label, options);
    expect(first.error?.details).toMatchObject({ outcome: "unknown" });
    github.faults.clear();
    // The probe still finds the label. Then the first request arrives, so the second one finds no
    // label.
    const gone = { status: 404, kind: "status", when: "after", match } as const;
    github.faults.inject(gone);
    const repeat = await waybill.execute("label.delete", label, options);
    expect(repeat.ok || repeat.error.details?.["outcome"]).not.toBe("not_applied");
    expect(github.applied()["deleteLabel"]).toBe(1);
  });

  it("issue.create whose response is lost does not return the identical issue of another call as its own", async () => {
    const world = await start();
    const { github, waybill } = world;
    await waybill.execute("issue.create", ISSUE);
    const before = made(world);
    const match = { operation: "createIssue" };
    github.faults.inject({ kind: "drop", when: "before", times: EVER, match });
    const { error } = await waybill.execute("issue.create", ISSUE, { ...KEY, route: "graphql" });
    expect(error?.details).toMatchObject({ outcome: "unknown" });
    expect(made(world) - before).toBe(0);
  });
});
