import { parseConfig } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import { KNOWN_SOURCES } from "./known-sources.ts";

describe("known sources", () => {
  it("Waybill knows at least 40 sources by name, all valid and over https", async () => {
    const entries = Object.entries(KNOWN_SOURCES);
    expect(entries.length).toBeGreaterThanOrEqual(40);
    const sources = Object.fromEntries(entries.map(([name, { config }]) => [name, config]));
    const text = JSON.stringify({ sources });
    await parseConfig("/project/waybill.config.json", new TextEncoder().encode(text));
    expect(text).not.toContain("http:");
  });

  it("waybill source known lists the known sources", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["source", "known"]);
    expect(stdout).toContain("stripe (openapi): Payments");
  });

  it("source add suggests the nearest known source for a misspelt name", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["source", "add", "strpe"]);
    expect(stdout).toContain("stripe");
  });
});
