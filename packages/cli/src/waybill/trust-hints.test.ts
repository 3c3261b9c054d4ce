import { PassThrough } from "node:stream";
import { isCallError } from "@waybill/core";
import type { ResultError, Waybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import { withWaybill } from "./index.ts";

const SOMEBODY = { id: "agent-7", scopes: [] };
const INPUT = { id: 3 };

type Refused = Pick<ResultError, "details"> | null | undefined;

/** Each way to call something, and why that did not work. */
const WAYS: Readonly<Record<string, (waybill: Waybill) => Promise<Refused>>> = {
  execute: async (waybill) => (await waybill.execute("item.view", INPUT)).error,
  "execute for somebody": async (waybill) =>
    (await waybill.as(SOMEBODY).execute("item.view", INPUT)).error,
  chain: async (waybill) =>
    (await waybill.chain([{ task: "item.view", input: INPUT }])).results[0]?.error,
  subscribe: async (waybill) => {
    try {
      await waybill.subscribe("item.view", INPUT).next();
      return undefined;
    } catch (thrown) {
      return isCallError(thrown) ? thrown : undefined;
    }
  },
};

describe("a source of a file that is not trusted", () => {
  it.each(Object.entries(WAYS))("says so to whoever calls it by %s", async (_name, call) => {
    const world = await makeWorld(onTestFinished);
    const demo = world.source({ token: { env: "DEMO" }, cli: {} });
    await world.writeForeignConfig({ sources: { demo } });
    const { env, project: cwd } = world;
    const stream = new PassThrough().resume();
    const io = { argv: [], env, cwd, stdin: stream, stdout: stream, stderr: stream, isTTY: false };
    const refused = await withWaybill(io, call);
    expect(refused?.details?.["hint"]).toContain(`waybill trust ${world.configPath}`);
    expect(world.upstream.seen).toEqual([]);
  });
});
