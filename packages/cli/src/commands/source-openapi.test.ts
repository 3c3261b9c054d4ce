import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

let world: World;

const PET = "type: object\nadditionalProperties: false\nproperties:\n  name: { type: string }\n";

function description(path: string): string {
  return [
    "openapi: 3.1.0",
    "info: { title: Shop, version: '1' }",
    "servers:",
    "  - url: https://{region}.shop.example",
    "    variables: { region: { default: eu } }",
    "paths:",
    `  /pets: { $ref: '${path}' }`,
  ].join("\n");
}

const PATHS = [
  "post:",
  "  operationId: addPet",
  "  requestBody:",
  "    required: true",
  "    content:",
  "      application/json:",
  "        schema: { $ref: './models/pet.yaml' }",
  "  responses: { '200': { description: ok } }",
].join("\n");

beforeEach(async () => {
  world = await makeWorld(onTestFinished);
  await world.write("project/api/shop.yaml", description("paths/pets.yaml"));
  await world.write("project/api/paths/pets.yaml", PATHS.replace("./models", "../models"));
  await world.write("project/api/models/pet.yaml", PET);
});

async function entry(): Promise<Record<string, unknown>> {
  const text = await readFile(world.configPath, "utf8");
  return (JSON.parse(text) as { sources: Record<string, Record<string, unknown>> }).sources[
    "shop"
  ]!;
}

const DRY = ["run", "shop.addPet", "--dry-run", "--input"];

describe("an OpenAPI description in several files", () => {
  it("source add openapi reads all files of an API description and checks inputs by their schemas", async () => {
    const added = await world.run(["source", "add", "openapi", "api/shop.yaml", "--name", "shop"]);
    expect(added.stdout).toContain("added shop (openapi): 1 operation");
    expect(await entry()).toMatchObject({ external: true });
    const sent = jsonOf(await world.run([...DRY, '{"body":{"name":"Tom"}}']));
    expect(JSON.stringify(sent.data)).toContain("https://eu.shop.example/pets");
    const wrong = jsonOf(await world.run([...DRY, '{"body":{"nmae":"Tom"}}']));
    expect(wrong.error.code).toBe("VALIDATION");
  });

  it("an OpenAPI source needs trust for a second time when one of the other files of its description changes", async () => {
    await world.run(["source", "add", "openapi", "api/shop.yaml", "--name", "shop"]);
    await world.write("project/api/models/pet.yaml", `${PET}  age: { type: integer }\n`);
    const refused = jsonOf(await world.run([...DRY, '{"body":{"name":"Tom"}}']));
    expect(refused.error.code).toBe("POLICY");
  });
});

describe("settings of an OpenAPI source", () => {
  it("the configuration entry of an API can set variables, headers, limits and overrides", async () => {
    await world.run(["source", "add", "openapi", "api/shop.yaml", "--name", "shop"]);
    world.env["TENANT"] = "acme-secret-tenant";
    const shop = {
      ...(await entry()),
      variables: { region: "us" },
      headers: { "X-Tenant": "${env:TENANT}", "X-Plain": "1" },
      hosts: ["us.shop.example"],
      limits: { response_mb: 1, timeout_ms: 5_000 },
      overrides: { addPet: { effect: "read", description: "Finds pets" } },
    };
    await world.writeConfig({ sources: { shop } });
    const sent = jsonOf(await world.run([...DRY, '{"body":{"name":"Tom"}}']));
    expect(JSON.stringify(sent.data)).toContain("https://us.shop.example/pets");
    expect(JSON.stringify(sent.data)).toContain('"x-plain":"1"');
    expect(JSON.stringify(sent)).not.toContain("acme-secret-tenant");
    const found = await world.run(["capabilities", "explain", "shop.addPet", "--json"]);
    expect(found.stdout).toContain('"purpose":"Finds pets","effect":"read"');
  });
});
