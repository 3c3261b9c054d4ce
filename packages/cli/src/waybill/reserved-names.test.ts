import { RESERVED_NAMES } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import { withWaybill } from "./index.ts";

/** Names that Waybill itself uses, and the capability that runs programs. */
const OWN = ["code", "result", "waybill"];

describe("RESERVED_NAMES", () => {
  it("the reserved source names are the first words of all built-in ids, and Waybill's own words", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeForeignConfig({});
    const { env, project: cwd } = world;
    const io = { argv: [], stdin: (async function* () {})(), env, cwd, isTTY: false };
    const sink = { stdout: process.stderr, stderr: process.stderr };
    const specs = await withWaybill({ ...io, ...sink }, (waybill) => waybill.operations(), {
      unlisted: true,
    });
    const words = specs.map(({ id }) => id.split(".", 1)[0]!);
    expect([...RESERVED_NAMES].toSorted()).toEqual([...new Set([...words, ...OWN])].toSorted());
  });
});
