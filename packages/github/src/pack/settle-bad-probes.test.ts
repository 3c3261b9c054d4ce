import { memoryJournal } from "@waybill/core";
import type { ExecuteOptions } from "@waybill/core";
import { afterEach, describe, expect, it } from "vitest";
import { createIssue } from "../emulator/index.ts";
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

/** Loses the response to a new issue. Something happens after GitHub made it and before the probe. */
async function loseIssue(
  { github, waybill }: Embedded,
  happens: () => void,
  options: ExecuteOptions = {},
): Promise<Readonly<Record<string, unknown>> | undefined> {
  let isFirst = true;
  github.store.watch(() => {
    if (isFirst) {
      isFirst = false;
      happens();
    }
  });
  github.faults.inject(LOST);
  const { error } = await waybill.execute("issue.create", ISSUE, { ...KEY, ...options });
  return error?.details;
}

describe("failed probes", () => {
  it("leaves the outcome unknown when the probe is denied", async () => {
    const world = await start();
    const denied = { kind: "status", status: 403, times: EVER } as const;
    const details = await loseIssue(world, () => world.github.faults.inject(denied));
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: expect.stringMatching(/^The probe failed: .*403/) as unknown,
    });
  });

  it("leaves the outcome unknown when the probe fails", async () => {
    const world = await start();
    const down = { kind: "drop", times: EVER } as const;
    const details = await loseIssue(world, () => world.github.faults.inject(down));
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: expect.stringMatching(/^The probe failed: /) as unknown,
    });
  });

  it("leaves the outcome unknown when the deadline passes before the probe is answered", async () => {
    const world = await start();
    const slow = { kind: "delay", delayMs: 600_000, times: EVER } as const;
    const options = { deadline_ms: 20_000 };
    const details = await loseIssue(world, () => world.github.faults.inject(slow), options);
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: expect.stringMatching(/^The probe failed: The deadline passed/) as unknown,
    });
  });

  it("leaves the outcome unknown when the probe finds two candidates", async () => {
    const world = await start();
    const { store } = world.github;
    const details = await loseIssue(world, () => {
      const hello = store.repositories.find(({ name }) => name === "hello")!;
      const octocat = store.users.find(({ login }) => login === "octocat")!;
      createIssue(store, octocat, hello, { title: ISSUE.title, body: ISSUE.body });
    });
    expect(details).toMatchObject({
      outcome: "unknown",
      probe: "The probe found 2 possible objects",
    });
  });
});
