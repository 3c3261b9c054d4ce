import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithProgram } from "../../../test/support/programs.ts";
import { openEmbeddedWorld } from "./embedded-world.ts";
import type { Place } from "./run-model.ts";

describeWithProgram("gh", () => {
  let place: Place;
  beforeAll(async () => {
    place = await openEmbeddedWorld({ skill: "", judge: async () => undefined });
  });
  afterAll(() => place.close());

  it.each([
    ["gh", { args: ["alias", "set", "x", "!id"] }, true, "gh alias is not available here"],
    ["gh", { args: ["extension", "install", "a/b"] }, true, "gh extension is not available here"],
    ["gh", { args: "issue list" }, true, "args must be a list of strings"],
    [
      "gh",
      '{"args":["issue","list","-R","octo/hello; id"]}',
      true,
      "with the name 'octo/hello; id'",
    ],
    ["gh", "{", true, "args must be a list of strings"],
    ["bash", { args: [] }, true, "There is no tool bash; there is gh"],
    ["gh", { args: ["issue", "--help"] }, false, "Work with GitHub issues"],
    ["gh", { args: ["repo", "clone", "octo/hello"] }, true, "git"],
    ["gh", { args: ["issue", "list", "\0"] }, true, "NUL"],
    ["gh", { args: [] }, false, "Work seamlessly with GitHub"],
  ])(
    "the model's tool %s with %j returns: error %s, text %s",
    async (name, input, isError, text) => {
      const toolbox = await place.toolbox("gh", "openai");
      const answer = await toolbox.run(name, input, AbortSignal.timeout(20_000));
      expect(answer.text).toContain(text);
      expect(answer.isError).toBe(isError);
    },
  );
});
