import { startGithubEmulator } from "@waybill/github/emulator";
import { expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";

const PAGE = "https://github.com/octo/hello";
const API = "https://api.github.com/repos/octo/hello";

/** Raw operation and its first word → a string in the answer. */
const CALLS: readonly (readonly [id: string, word: string, shows: string])[] = [
  ["github.issues.get", "octo/hello#1", "Greeting fails on empty names"],
  ["github.issues.get", `${PAGE}/issues/1`, "Greeting fails on empty names"],
  ["github.issues.get", `${API}/issues/1`, "Greeting fails on empty names"],
  ["github.pulls.get", "octo/hello#6", "Fix greeting for empty names"],
  ["github.pulls.get", `${PAGE}/pull/6/files`, "Fix greeting for empty names"],
  ["github.repos.get", "octo/hello", "Greets people, politely"],
  ["github.repos.get", PAGE, "Greets people, politely"],
  ["github.actions.get-workflow-run", `${PAGE}/actions/runs/1002`, "fix/empty-name"],
  ["github.actions.get-job-for-workflow-run", `${PAGE}/actions/runs/1002/job/1004`, "Run npm test"],
  ["github.actions.get-workflow", `${PAGE}/actions/workflows/ci.yml`, "ci.yml"],
  ["github.issues.get-milestone", `${PAGE}/milestone/1`, "v1.2"],
];

it("waybill run fills the inputs of a raw operation from a reference or URL as the first word", async () => {
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  const env = { ...world.env, WAYBILL_GITHUB: github.env };
  for (const [id, word, shows] of CALLS) {
    const { stdout } = await world.run(["run", id, word], { env });
    expect({ id, word, isShown: stdout.includes(shows), stdout }).toEqual({
      id,
      word,
      isShown: true,
      stdout,
    });
  }
  for (const words of [["1", "repo=octo/hello"], ["repo=octo/hello#1"]]) {
    const { stdout } = await world.run(["run", "github.issues.get", ...words], { env });
    expect(stdout).toContain("Greeting fails on empty names");
  }
  const unfit = await world.run(["run", "github.repos.get", "repo=octo/hello#1"], { env });
  expect(unfit.stdout).toContain("/number is not an input");
});

it("waybill run answers an unknown id with the signature of a raw operation whose source is not read yet", async () => {
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  const env = { ...world.env, WAYBILL_GITHUB: github.env };
  for (const words of [["run"], ["capabilities", "explain"]]) {
    const { stdout } = await world.run([...words, "user.search", "--brief"], { env });
    expect(stdout).toMatch(/^!NOT_FOUND .* \| use github\.search\.users\(q, /u);
  }
});
