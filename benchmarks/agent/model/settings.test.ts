import { describe, expect, it } from "vitest";
import { UsageError, chosen, modelSettings } from "./settings.ts";

const GOOD = ["--model", "m-1", "--url", "https://models.example/v1", "--format", "openai"];
const ENV = { WAYBILL_BENCHMARK_KEY: " k-1\n" };

describe("model command line", () => {
  it("the settings of a model run come from the command line and the key from the environment", () => {
    const settings = modelSettings([...GOOD, "--scenarios", "a, b", "--quick"], ENV);
    expect(settings).toMatchObject({
      model: "m-1",
      format: { name: "openai" },
      key: "k-1",
      scenarios: ["a", "b"],
      skill: "indexed",
      isQuick: true,
    });
    expect(settings.url.href).toBe("https://models.example/v1");
  });

  it("a model on the local machine needs no key", () => {
    const args = GOOD.with(3, "http://localhost:11434/v1");
    expect(modelSettings(args, {}).key).toBeUndefined();
  });

  it.each([
    [GOOD.slice(2), "--model is missing"],
    [GOOD.with(1, " "), "--model is missing"],
    [GOOD.slice(0, 4), "--format is missing"],
    [GOOD.with(5, "gemini"), "--format is openai or anthropic, not gemini"],
    [GOOD.with(3, "models.example"), "--url must be an address such as"],
    [GOOD.with(3, "file:///etc/passwd"), "--url must be an address such as"],
    [GOOD.with(3, "https://me:secret@models.example"), "--url may hold no credentials"],
    [[...GOOD, "--key", "k"], "Unknown option '--key'"],
    [[...GOOD, "--skill", "none"], "--skill is lean or indexed, not none"],
  ])("the command line %j of a model run is rejected: %s", (args, message) => {
    expect(() => modelSettings(args, ENV)).toThrow(UsageError);
    expect(() => modelSettings(args, ENV)).toThrow(message);
  });

  it("the error names the environment variable that should contain the key of the model endpoint", () => {
    expect(() => modelSettings(GOOD, {})).toThrow("WAYBILL_BENCHMARK_KEY is not set");
  });
});

describe("scenarios of a run", () => {
  const all = ["a1", "a2", "b1"].map((id) => ({ id, kind: id.slice(0, 1) }));
  const ids = (scenarios: string[] | undefined, isQuick: boolean) =>
    chosen(all, { scenarios, isQuick }).map(({ id }) => id);

  it("a model run plays all scenarios, the named scenarios, or one scenario of each kind", () => {
    expect(ids(undefined, false)).toEqual(["a1", "a2", "b1"]);
    expect(ids(["b1", "a2"], false)).toEqual(["a2", "b1"]);
    expect(ids(undefined, true)).toEqual(["a1", "b1"]);
    expect(ids(["a2"], true)).toEqual(["a2"]);
  });

  it("a model run rejects an unknown scenario and lists the known scenarios", () => {
    expect(() => ids(["a1", "c9"], false)).toThrow(
      "No scenario is called c9; there are a1, a2, b1",
    );
  });
});
