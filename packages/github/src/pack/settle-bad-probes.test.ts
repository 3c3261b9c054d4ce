import { memoryJournal } from "@waybill/core";
import type { ExecuteOptions } from "@waybill/core";
import { afterEach, describe, expect, it } from "vitest";
import { createIssue } from "../emulator/index.ts";
import { cases } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

const ISSUE = { owner: "octo", name: "hello", title: "Lost", body: "Once" };
const KEY = { idempotency_key: "key-1", route: "graphql" } as const;
const EVER = 1_000;
const LOST = { kind: "drop", when: "after", match: { isWrite: true } } as const;

let embedded: Embedded | undefined;
afterEach(() => embedded?.close());

async function start(): Promise<Embedded> {
  const journal = memoryJournal();
  embedded = await startEmbedded({ clock: () => new Date(), waybill: { journal } });
  return embedded;
}

type Details = Readonly<Record<string, unknown>> | undefined;

/**
 * Loses the response to a write. A given function runs after GitHub applied the write and before
 * the probe.
 */
async function loseWrite(
  { github, waybill }: Embedded,
  happens: () => void,
  [id, params]: readonly [string, object],
  options: ExecuteOptions = {},
): Promise<Details> {
  let isFirst = true;
  github.store.watch(() => {
    if (isFirst) {
      isFirst = false;
      happens();
    }
  });
  github.faults.inject(LOST);
  const { error } = await waybill.execute(id, params, { ...KEY, ...options });
  return error?.details;
}

async function loseIssue(
  world: Embedded,
  happens: () => void,
  options: ExecuteOptions = {},
): Promise<Details> {
  return loseWrite(world, happens, ["issue.create", ISSUE], options);
}

/** The input of a write that changes something in the emulated GitHub. */
function inputFor(id: string, { github }: Embedded): object {
  const { prepare, params } = cases.find((each) => each.id === id)!;
  prepare?.(github);
  return typeof params === "function" ? params(github) : params;
}

const UNKNOWN = {
  outcome: "unknown",
  probe: expect.stringMatching(/^The probe/) as unknown,
} as const;

/** Loses a write, and answers every read after it with this body and status 200. */
async function blockedProbe(id: string, body: string): Promise<Details> {
  const world = await start();
  const match = { isWrite: false };
  const blocked = { kind: "status", status: 200, body, match, times: EVER } as const;
  const write = [id, inputFor(id, world)] as const;
  const block = (): void => {
    world.github.faults.inject({ ...LOST, times: EVER });
    world.github.faults.inject(blocked);
  };
  return loseWrite(world, block, write, { route: "rest" });
}

describe("failed probes, the reads that verify a lost write", () => {
  it("a write whose response is lost is unknown when GitHub denies the read that verifies it", async () => {
    const world = await start();
    const denied = { kind: "status", status: 403, times: EVER } as const;
    const details = await loseIssue(world, () => world.github.faults.inject(denied));
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: expect.stringMatching(/^The probe, which checks this write, failed: .*403/) as unknown,
    });
  });

  it("a write whose response is lost is unknown when the read that verifies it fails", async () => {
    const world = await start();
    const down = { kind: "drop", times: EVER } as const;
    const details = await loseIssue(world, () => world.github.faults.inject(down));
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: expect.stringMatching(/^The probe, which checks this write, failed: /) as unknown,
    });
  });

  it("a write whose response is lost is unknown when the deadline passes before the read that verifies it is answered", async () => {
    const world = await start();
    const slow = { kind: "delay", delayMs: 600_000, times: EVER } as const;
    const options = { deadline_ms: 20_000 };
    const details = await loseIssue(world, () => world.github.faults.inject(slow), options);
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: expect.stringMatching(
        /^The probe, which checks this write, failed: The deadline passed/,
      ) as unknown,
    });
  });

  it("a write whose response is lost is unknown when the read that verifies it finds two candidates", async () => {
    const world = await start();
    const { store } = world.github;
    const details = await loseIssue(world, () => {
      const hello = store.repositories.find(({ name }) => name === "hello")!;
      const octocat = store.users.find(({ login }) => login === "octocat")!;
      createIssue(store, octocat, hello, { title: ISSUE.title, body: ISSUE.body });
    });
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: "The probe found 2 objects that this call may have made",
    });
  });

  it.each([
    "issue.assignees.remove",
    "issue.milestone.clear",
    "issue.relations.parent.set",
    "pr.close",
    "pr.reviews.pending.delete",
    "branch.create",
    "branch.delete",
    "release.delete",
    "label.delete",
  ])(
    "the write %s whose response is lost is unknown when a gateway answers the read that verifies it with status 200",
    async (id) => {
      expect(await blockedProbe(id, '{"error":"blocked"}')).toMatchObject(UNKNOWN);
    },
  );

  it.each(['"OK"', "42", "true"])(
    "release.delete whose response is lost is unknown when a gateway answers the read that verifies it with the body %s",
    async (body) => {
      expect(await blockedProbe("release.delete", body)).toMatchObject(UNKNOWN);
    },
  );
});
