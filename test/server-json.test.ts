import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

/**
 * The newest schema of the MCP registry. The only one after it is a draft, which adds an optional
 * member to packages.
 */
const SCHEMA_VERSION = "2025-12-11";

const versionNumber = z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
const positional = z.strictObject({ type: z.literal("positional"), value: z.string().min(1) });
const variable = z.strictObject({
  name: z.string().regex(/^[A-Z_]+$/),
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
});

const npmPackage = z.strictObject({
  registryType: z.literal("npm"),
  identifier: z.string(),
  version: versionNumber,
  runtimeHint: z.literal("npx"),
  transport: z.strictObject({ type: z.literal("stdio") }),
  packageArguments: z.array(positional),
  environmentVariables: z.array(variable),
});

/** The members of that schema which Waybill uses, with their limits. */
const entry = z.strictObject({
  $schema: z.literal(
    `https://static.modelcontextprotocol.io/schemas/${SCHEMA_VERSION}/server.schema.json`,
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: versionNumber,
  repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
  packages: z.array(npmPackage).min(1),
});

function readServerJson(): Record<string, unknown> {
  const file = new URL("../server.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}

it("server.json follows the newest schema of the MCP registry", () => {
  expect(entry.safeParse(readServerJson())).toMatchObject({ success: true });
});

it.each([
  ["a deprecated schema", { $schema: "https://static.modelcontextprotocol.io/schemas/2025-10-17" }],
  ["a status (only the registry sets it)", { status: "active" }],
  ["a description of more than 100 characters", { description: "x".repeat(101) }],
  ["a version range", { version: "^0.1.0" }],
])("the check of server.json reports %s", (_what, change) => {
  expect(entry.safeParse({ ...readServerJson(), ...change }).success).toBe(false);
});
