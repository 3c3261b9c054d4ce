import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createRedactor, createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import type { GithubSurroundings } from "@waybill/github";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { openHistory, openJournal } from "@waybill/state";
import type { CallSurface, History } from "@waybill/state";
import type { Io } from "../io.ts";

/** An embedded GitHub, and Waybills that use it. */
export interface Stage {
  readonly github: GithubEmulator;
  readonly waybill: Waybill;
  /** A Waybill that tries `gh` first, on a machine without `gh`. */
  readonly withoutGh: Waybill;
  /** The Waybill that the page uses after the tour. */
  readonly forPage: Waybill;
  /** All calls of the tour. */
  readonly history: History;
  close(): Promise<void>;
}

interface Role extends Partial<GithubSurroundings> {
  readonly via?: CallSurface;
}

/** Listens on a socket, so that the real `gh` can be used too. Everything is deleted at the end. */
export async function openStage({ env }: Io): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-demo-"));
  const github = await startGithubEmulator({ socket: join(folder, "github.sock") });
  const transport = createHttpTransport();
  const journal = openJournal({ path: join(folder, "journal.db") });
  const redactor = createRedactor();
  const redact = (value: unknown): unknown => redactor.value(value);
  const history = openHistory({ path: join(folder, "history.db"), redact });
  const client = { session: randomUUID().slice(0, 8) };
  const place = await findGithub({ env: { WAYBILL_GITHUB: github.env }, state: folder });
  const { warning: _, ...quiet } = place;
  const common: GithubSurroundings = { env, transport, userAgent: "waybill-demo" };
  const open = ({ via = "demo", ...more }: Role): Waybill =>
    createWaybill({
      sources: [githubSource(quiet, { ...common, ...more })],
      journal,
      observer: history.observe(via, client),
    });
  const waybill = open({});
  const withoutGh = open({ prefer: "cli", program: "gh-that-is-not-here" });
  const forPage = open({ via: "inspect" });
  return {
    github,
    waybill,
    withoutGh,
    forPage,
    history,
    async close() {
      await Promise.all([waybill, withoutGh, forPage].map((one) => one.close()));
      await history.close();
      transport.close();
      await github.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
