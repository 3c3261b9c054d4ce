import { startGithubEmulator } from "@waybill/github/emulator";
import { expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";

const PLACE = "Answered by the embedded GitHub";

it("the warning that a GitHub emulator answers is shown once with --brief, and in every full answer", async () => {
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  const env = { ...world.env, WAYBILL_GITHUB: github.env };
  const run = async (...words: string[]): Promise<boolean> => {
    const { code, stdout } = await world.run(words, { env });
    expect(code).toBe(0);
    return stdout.includes(PLACE);
  };
  const view = ["run", "repo.view", "octo/hello"];
  expect(await run(...view, "--brief")).toBe(true);
  expect(await run(...view, "--brief")).toBe(false);
  const steps = '[{"task":"repo.view","params":{"repo":"octo/hello"}}]';
  expect(await run("chain", "--brief", "--steps", steps)).toBe(false);
  expect(await run(...view)).toBe(true);
});
