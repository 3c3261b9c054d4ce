// Checks every name that other programs rely on: where it is exported, and that it works.
import * as core from "@waybill/core";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { CALLS } from "./support/contracts/calls.ts";
import { here } from "./support/contracts/promised.ts";
import { TOOL_ENVELOPE } from "./support/contracts/tool-envelope.ts";
import { TRANSPORT_ENVELOPE } from "./support/contracts/transport-envelope.ts";
import { readPackages } from "./support/packages.ts";
import { publicNames } from "./support/public-names.ts";

const packages = readPackages(root);

/** A package that does not exist yet must export its names from its first version on. */
function whereabouts(name: string, from: string): "there" | "to come" | "missing" {
  const home = packages.find(({ manifest }) => manifest.name === from);
  if (home === undefined) return from === here ? "missing" : "to come";
  const entries = Object.values(publicNames(home));
  const names = entries.flatMap(({ values, types }) => [...values, ...types]);
  return names.includes(name) ? "there" : "missing";
}

const CONTRACTS = {
  "the transport's envelope": TRANSPORT_ENVELOPE,
  "the workspace tools' envelope": TOOL_ENVELOPE,
  "operations and calls": CALLS,
};

describe.each(Object.entries(CONTRACTS))("names of %s", (_section, names) => {
  it.each(Object.entries(names))(
    "the package that the contract names exports %s",
    (name, { from }) => {
      expect(whereabouts(name, from)).not.toBe("missing");
    },
  );

  const values = Object.entries(names).filter(([, { shows }]) => shows !== undefined);
  it.each(values)(
    "the exported value %s behaves as the contract says",
    async (_name, { shows }) => {
      expect.hasAssertions();
      await shows?.();
    },
  );

  it("the contract test checks the behaviour of every exported value of the contract", () => {
    const shown = new Set(values.map(([name]) => name));
    const mute = Object.keys(names).filter((name) => name in core && !shown.has(name));
    expect(mute).toEqual([]);
  });
});

describe("check of exported names", () => {
  it("the contract test reports a name that its package lacks, and accepts a package that does not exist yet", () => {
    expect(whereabouts("localEnvelope", here)).toBe("there");
    expect(whereabouts("localEnvelop", here)).toBe("missing");
    expect(whereabouts("anything", "@waybill/nowhere")).toBe("to come");
  });
});
