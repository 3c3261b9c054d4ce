import { expect, it, onTestFinished } from "vitest";
import { startGithubEmulator } from "@waybill/github/emulator";
import { evaluateExpression } from "../play/expression.ts";
import { benchWorld, steadyClock } from "./bench-world.ts";
import { storeState } from "./state.ts";

it("the benchmark reads from the GitHub emulator the state that decides which answers are correct", async () => {
  const github = await startGithubEmulator({ world: benchWorld, clock: steadyClock() });
  onTestFinished(() => github.close());
  const state = storeState(github.store);
  expect(evaluateExpression('hello.issues."1".[title,labels]', state)).toEqual([
    "Greeting fails on empty names",
    ["bug", "priority: high"],
  ]);
  expect(evaluateExpression("length(values(atlas.issues))", state)).toBe(241);
  expect(evaluateExpression('hello.pulls."6".[ahead,behind]', state)).toEqual([3, 3]);
  expect(evaluateExpression('sort(hello.pulls."6".files)', state)).toEqual([
    "src/greet.ts",
    "test/greet.test.ts",
  ]);
  expect(evaluateExpression("contains(hello.files.\"src/greet.ts\", 'greetAll')", state)).toBe(
    true,
  );
});
