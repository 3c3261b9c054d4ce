import type { PlacedFile } from "./file-routes.ts";

const TEST =
  /(?:[.-](?:test|spec|e2e-spec|e2e)\.[cm]?[jt]sx?$)|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$/;
const STORY = /\.(?:stories|story)\.(?:[cm]?[jt]sx?|svelte|vue)$/;

const RUNNERS: readonly (readonly [string, string])[] = [
  ["vitest", "vitest"],
  ["@jest/globals", "jest"],
  ["node:test", "node:test"],
  ["@playwright/test", "playwright"],
  ["bun:test", "bun"],
  ["mocha", "mocha"],
  ["ava", "ava"],
];

/** Files that a test runner or Storybook opens by their names. */
export function testOrStory({ x, path }: PlacedFile): void {
  if (TEST.test(path)) {
    const runner = RUNNERS.find(([name]) => x.writer.hasText(name));
    x.entrypoint({
      kind: "test",
      name: path,
      framework: runner?.[1] ?? "test",
      line: 1,
      handler: 0,
    });
  } else if (STORY.test(path)) {
    x.entrypoint({
      kind: "page",
      name: `story ${path}`,
      framework: "storybook",
      line: 1,
      handler: 0,
    });
  }
}
