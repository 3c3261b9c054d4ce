import { describe, expect, it } from "vitest";
import { layerVariable, premultiplied } from "./colours.ts";

describe("colours for WebGL", () => {
  it.each([
    ["rgba(200, 100, 50, 0.5)", "rgba(100, 50, 25, 0.5)"],
    ["rgb(1, 2, 3)", "rgba(1, 2, 3, 1)"],
    ["#123456", "#123456"],
  ])("the inspector's code graph picture converts the colour %s to %s", (given, expected) => {
    expect(premultiplied(given)).toBe(expected);
  });
});

it("the inspector's code graph picture has a CSS variable for each layer and one for files without a layer", () => {
  expect([-1, 0, 11, 12].map(layerVariable)).toEqual([
    "--layer-none",
    "--layer-1",
    "--layer-12",
    "--layer-none",
  ]);
});
