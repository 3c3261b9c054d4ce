/** The files of octo/hello. */
export const README = `# hello

Greets people, politely.

\`\`\`ts
import { greet } from "@octo/hello";

greet("Mona"); // Hello, Mona!
\`\`\`
`;

export const PACKAGE = `{
  "name": "@octo/hello",
  "version": "1.0.0",
  "type": "module",
  "license": "MIT",
  "scripts": {
    "lint": "eslint src",
    "test": "vitest run"
  }
}
`;

export const LICENSE = `MIT License

Permission is hereby granted, free of charge, to any person obtaining a copy of this software.
`;

export const GREET = `/** Greets someone by name. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
`;

export const GREET_MANY = `/** Greets someone by name. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}

/** Greets several people, one line each. */
export function greetAll(names: readonly string[]): string {
  return names.map(greet).join("\\n");
}
`;

export const GREET_FIRST_FIX = GREET_MANY.replace(
  "  return `Hello, ${name}!`;\n",
  "  if (!name) return `Hello!`;\n  return `Hello, ${name}!`;\n",
);

export const GREET_FIXED = GREET_MANY.replace(
  "  return `Hello, ${name}!`;\n",
  '  if (name.trim() === "") return "Hello!";\n  return `Hello, ${name}!`;\n',
);

export const GREET_LOUD = GREET_MANY.replace("names.map(greet)", "names.map(greet).map(shout)");

export const GREET_WARM = GREET_MANY.replace('.join("\\n")', '.join("\\n\\n")');

export const TEST = `import { expect, it } from "vitest";
import { greet } from "../src/greet.ts";

it("greets by name", () => {
  expect(greet("Mona")).toBe("Hello, Mona!");
});
`;

export const TEST_EMPTY = `${TEST}
it("greets nobody in particular", () => {
  expect(greet("")).toBe("Hello!");
});
`;

export const LOCALE = `export const GREETINGS = {
  en: "Hello",
  fr: "Bonjour",
  de: "Hallo",
} as const;
`;

export const CI = `name: CI
on:
  push:
    branches: [main]
  pull_request:
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm run lint
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm test
`;

export const PUBLISH = `name: Publish
on:
  workflow_dispatch:
    inputs:
      version:
        description: Version to publish
        required: true
      dry_run:
        description: Only say what would happen
        type: boolean
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm publish
`;
