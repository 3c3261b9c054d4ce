import { expect, it, onTestFinished } from "vitest";
import { startGithubEmulator } from "@waybill/github/emulator";
import { valueOf } from "../play/expression.ts";
import { benchWorld, steadyClock } from "./bench-world.ts";
import { stateOf } from "./state.ts";

it("tells the store's own facts, as an oracle asks for them", async () => {
  const github = await startGithubEmulator({ world: benchWorld, clock: steadyClock() });
  onTestFinished(() => github.close());
  const state = stateOf(github.store);
  expect(valueOf('hello.issues."1".[title,labels]', state)).toEqual([
    "Greeting fails on empty names",
    ["bug", "priority: high"],
  ]);
  expect(valueOf("length(values(atlas.issues))", state)).toBe(241);
  expect(valueOf('hello.pulls."6".[ahead,behind]', state)).toEqual([3, 3]);
  expect(valueOf('sort(hello.pulls."6".files)', state)).toEqual([
    "src/greet.ts",
    "test/greet.test.ts",
  ]);
  expect(valueOf("contains(hello.files.\"src/greet.ts\", 'greetAll')", state)).toBe(true);
});
