import { parseConfig } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import { KNOWN_SOURCES } from "./known-sources.ts";

describe("the known sources", () => {
  it("the known sources are at least 40 valid entries of a configuration, over https", async () => {
    const entries = Object.entries(KNOWN_SOURCES);
    expect(entries.length).toBeGreaterThanOrEqual(40);
    const sources = Object.fromEntries(entries.map(([name, { config }]) => [name, config]));
    const text = JSON.stringify({ sources });
    await parseConfig("/project/waybill.config.json", new TextEncoder().encode(text));
    expect(text).not.toContain("http:");
  });

  it("the known sources are listed by source known", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["source", "known"]);
    expect(stdout).toContain("stripe (openapi): Payments");
  });

  it("the known sources name the nearest one for a word that is neither a kind nor known", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["source", "add", "strpe"]);
    expect(stdout).toContain("stripe");
  });
});
