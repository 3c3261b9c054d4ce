import { describe, expect, it } from "vitest";
import { toolEffect } from "./effect.ts";
import { readTool } from "./tool.ts";

function getEffect(annotations: object | undefined, isTrusted: boolean) {
  const { hints } = readTool({ name: "tool", annotations })!;
  const { effect, idempotent, assumed } = toolEffect(hints, isTrusted);
  return [effect, idempotent, assumed];
}

describe("getEffect", () => {
  it.each([
    // The hints of a server, trusted or not. Each row has the effect, whether it is idempotent,
    // and whether the effect is only assumed.
    [undefined, false, ["write", false, true]],
    [undefined, true, ["write", false, true]],
    [{ destructiveHint: true }, false, ["destructive", false, false]],
    [{ destructiveHint: true }, true, ["destructive", false, false]],
    [{ destructiveHint: true, idempotentHint: true }, false, ["destructive", false, false]],
    [{ destructiveHint: true, idempotentHint: true }, true, ["destructive", true, false]],
    [{ readOnlyHint: true, destructiveHint: true }, true, ["destructive", false, false]],
    [{ readOnlyHint: true }, false, ["write", false, true]],
    [{ readOnlyHint: true }, true, ["read", true, false]],
    [{ destructiveHint: false }, false, ["write", false, true]],
    [{ destructiveHint: false }, true, ["write", false, false]],
    [{ idempotentHint: true }, false, ["write", false, true]],
    [{ destructiveHint: false, idempotentHint: true }, true, ["write", true, false]],
    [{ destructiveHint: "true", readOnlyHint: 1 }, true, ["write", false, true]],
  ])(
    "toolEffect maps the hints %j of a server (trusted: %s) to [effect, idempotent, assumed] %j",
    (hints, isTrusted, expected) => {
      expect(getEffect(hints, isTrusted)).toEqual(expected);
    },
  );
});
