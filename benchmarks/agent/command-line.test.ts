import { describe, expect, it } from "vitest";
import { readCommandLine } from "./command-line.ts";

describe("command line of the benchmark", () => {
  it("the agent benchmark reads the options of scripted plays", () => {
    expect(readCommandLine(["--modes", "mcp-lean, grep", "--scenarios=a"])).toMatchObject({
      isModel: false,
      modes: ["mcp-lean", "grep"],
      scenarios: ["a"],
    });
    expect(readCommandLine([])).toMatchObject({ isHelp: false, modes: undefined });
  });

  it.each([["--url", "http://127.0.0.1:1"], ["--format=openai"], ["--model", "m"]])(
    "the agent benchmark never starts scripted plays if an option of a model run is given: %s",
    (...words) => {
      expect(readCommandLine(words).isModel).toBe(true);
    },
  );

  it("the agent benchmark refuses an unknown option", () => {
    expect(() => readCommandLine(["--mdoel", "m"])).toThrow("Unknown option '--mdoel'");
    expect(() => readCommandLine(["quick"])).toThrow("Unexpected argument 'quick'");
  });

  it("the agent benchmark shows its help even if --help stands beside other options", () => {
    expect(readCommandLine(["--model", "m", "--help"]).isHelp).toBe(true);
    expect(readCommandLine(["-h"]).isHelp).toBe(true);
  });
});
