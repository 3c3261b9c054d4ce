import { startGithubEmulator } from "@waybill/github/emulator";
import { expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";

/** The words after `waybill run`, and the brief answer. */
const CALLS: readonly (readonly [words: string, answer: RegExp])[] = [
  ["issue.view octo/hello#1 number state", /^\{"number":1,"state":"OPEN"\}\n/u],
  ["issue.view number octo/hello#1 state", /^\{"number":1,"state":"OPEN"\}\n/u],
  ["issue.view number https://github.com/octo/hello/issues/1?a=b", /^\{"number":1\}\n/u],
  ["issue.view 1 octo/hello number", /^\{"number":1\}\n/u],
  ["issue.list state=open octo/hello number", /^number\n3\n2\n1\n/u],
  ["issue.list number octo/hello --state open", /^number\n3\n2\n1\n/u],
  ["release.view v1.1.0 octo/hello tagName", /^\{"tagName":"v1\.1\.0"\}\n/u],
  ["file.view repo=octo/hello docs/x", /^!VALIDATION .*"docs\/x\\" is not key=value/u],
  ["issue.create title=A octo/hello urgent", /^!VALIDATION urgent is neither an input/u],
];

it("waybill run accepts the reference before, between and after inputs and fields", async () => {
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  const env = { ...world.env, WAYBILL_GITHUB: github.env };
  for (const [words, answer] of CALLS) {
    const { stdout } = await world.run(["run", ...words.split(" "), "--brief"], { env });
    expect({ words, stdout }).toEqual({ words, stdout: expect.stringMatching(answer) as string });
  }
});
