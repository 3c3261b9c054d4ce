import { expect, it } from "vitest";
import expected from "./snippets/expected.json" with { type: "json" };
import { runAll } from "./snippets/run-all.ts";
import { useEmbeddedGithub } from "./support/embedded-github.ts";

it("the code blocks of the five design documents run with the results that the documents describe", async () => {
  await useEmbeddedGithub();
  expect(await runAll()).toEqual(expected);
});
