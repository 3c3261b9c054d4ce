import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, onTestFinished } from "vitest";
import { openStage } from "./stage.ts";

it("the folders of all stages have different names with an equal number of tokens", async () => {
  const folders = [];
  for (let n = 0; n < 5; n++) {
    const stage = await openStage({ build: { file: "/dev/null" } });
    onTestFinished(() => stage.close());
    folders.push((await stage.shell("pwd")).stdout);
  }
  expect(new Set(folders).size).toBe(5);
  expect(new Set(folders.map((folder) => countTokens(folder))).size).toBe(1);
});
