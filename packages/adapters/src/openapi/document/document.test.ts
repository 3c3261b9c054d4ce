import { mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWaybill } from "@waybill/core";
import type { SourceProblem } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { describing, sourceOf, waybillOf } from "../fixtures/describe-api.ts";
import { answering, serve } from "../fixtures/echo-server.ts";
import { openapiSource } from "../index.ts";

const YAML = `openapi: 3.0.3
info: {title: T, version: "1"}
servers: [{url: "https://api.example.com"}]
paths:
  /pets/{id}:
    parameters: [{in: path, name: id, required: true, schema: {type: integer}}]
    get: {operationId: pets/get, summary: Shows a pet, responses: {}}
`;

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "waybill-openapi-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function readIds(document: object | string): Promise<string[]> {
  const source = openapiSource({ name: "api", document });
  return (await source.list()).map(({ id }) => id);
}

/** The error for a file that starts with this text and is filled with zeros. */
async function problemWith(start: string, bytes: number): Promise<string> {
  const file = join(await folder(), "large.json");
  await writeFile(file, start);
  await truncate(file, bytes);
  const waybill = createWaybill({ sources: [openapiSource({ name: "api", file })] });
  onTestFinished(() => waybill.close());
  const { error } = await waybill.execute("api.pets.get", {});
  return error?.message ?? "";
}

describe("large OpenAPI descriptions", () => {
  it("openapiSource refuses an API description of 300 MB before it reads the description", async () => {
    expect(await problemWith("{", 300_000_000)).toContain("it has 300 MB, but the limit is 256 MB");
  });

  it("openapiSource refuses an API description of 100 MB of YAML", async () => {
    expect(await problemWith("openapi: 3.1.0", 100_000_000)).toContain(
      "it has 100 MB, but the limit is 32 MB",
    );
  });

  it("openapiSource refuses an API description of 100 MB of brackets, and the error says why", async () => {
    const file = join(await folder(), "large.json");
    await writeFile(file, `{"openapi":"3.1.0","paths":${"[".repeat(100_000_000)}`);
    await expect(openapiSource({ name: "api", file }).list()).rejects.toThrow(
      "it is cut off in the middle of a value",
    );
  });

  it("openapiSource reads an API description of 100 MB with one long string", async () => {
    const whole = describing({ operationId: "pets/get", description: "x".repeat(100_000_000) });
    const file = join(await folder(), "large.json");
    await writeFile(file, JSON.stringify(whole));
    const ids = (await openapiSource({ name: "api", file }).list()).map(({ id }) => id);
    expect(ids).toEqual(["api.pets.get"]);
  });
});

describe("OpenAPI descriptions", () => {
  it.each([
    ["YAML", YAML],
    ["JSON", JSON.stringify(describing({ operationId: "pets/get" }))],
    [
      "JSON after a byte order mark",
      `\uFEFF${JSON.stringify(describing({ operationId: "pets/get" }))}`,
    ],
  ])("openapiSource reads an API description from %s", async (_name, text) => {
    expect(await readIds(text)).toEqual(["api.pets.get"]);
  });

  it("openapiSource reads an API description from a file", async () => {
    const file = join(await folder(), "api.yaml");
    await writeFile(file, YAML);
    const source = openapiSource({ name: "api", file });
    expect(await source.list()).toMatchObject([
      { id: "api.pets.get", description: "Shows a pet", effect: "read", parameters: ["id"] },
    ]);
  });

  it("openapiSource downloads an API description, and resolves relative servers against its URL", async () => {
    const document = describing({}, { servers: [{ url: "../v2" }] });
    const url = await serve(answering(JSON.stringify(document)));
    const source = openapiSource({ name: "api", url: `${url}/docs/api.json`, allowPrivate: true });
    onTestFinished(() => source.close());
    expect((await source.preview("api.op", {})).url).toBe(`${url}/v2/things`);
  });

  it("openapiSource downloads an API description from a private address only if that address is allowed", async () => {
    const url = await serve(answering("{}"));
    const source = openapiSource({ name: "api", url });
    await expect(source.list()).rejects.toMatchObject({ details: { code: "POLICY" } });
  });

  it("openapiSource downloads an API description again after a failed download", async () => {
    let isDown = true;
    const url = await serve((request, response) => {
      if (isDown) response.writeHead(500).end();
      else answering(JSON.stringify(describing({})))(request, response);
    });
    const source = openapiSource({ name: "api", url, allowPrivate: true });
    onTestFinished(() => source.close());
    await expect(source.list()).rejects.toMatchObject({ details: { status: 500 } });
    isDown = false;
    expect(await source.list()).toHaveLength(1);
  });

  it("openapiSource refuses options with more than one of document, file and url", () => {
    const source = openapiSource({ name: "api", file: "a", url: "b" });
    return expect(source.list()).rejects.toThrow("exactly one of document, file and url");
  });
});

const whole = JSON.stringify(describing({}));

describe("malformed OpenAPI descriptions", () => {
  it.each([
    ["half a download", whole.slice(0, -20), "it is cut off in the middle of a value"],
    ["cut inside a string", whole.slice(0, 40), "it is cut off in the middle of a value"],
    ["malformed JSON", '{"openapi": nonsense here}', "it is not JSON at byte"],
    ["data after the end", `${whole} {}`, "it is not JSON at byte"],
    ["malformed YAML", "a: [1", "it is not valid YAML"],
    ["YAML with an alias of nothing", "a: *b", "it is not valid YAML: Unresolved alias"],
    ["a web page", "<html></html>", "it is a web page or XML"],
    ["an empty file", "", "it is not a JSON or YAML object; pass the file of the API description"],
    ["another document", '{"name":"x"}', 'it has no "openapi" or "swagger" version'],
    ["a future version", '{"openapi":"4.0.0"}', "its version is 4.0.0"],
    ["no paths", '{"openapi":"3.0.0"}', "it describes no paths"],
  ])("the error says why an API description cannot be used: %s", async (_name, text, message) => {
    const source = openapiSource({ name: "api", document: text });
    await expect(source.list()).rejects.toMatchObject({
      details: { code: "VALIDATION" },
      message: expect.stringContaining(
        `The description of api cannot be used: ${message}`,
      ) as string,
    });
  });

  it("the error for a missing API description names the file", async () => {
    const source = openapiSource({ name: "api", file: join(await folder(), "none.json") });
    await expect(source.list()).rejects.toThrow("it could not be read (ENOENT)");
  });

  it("a malformed API description does not affect other sources", async () => {
    const problems: SourceProblem[] = [];
    const bad = openapiSource({ name: "bad", document: "{" });
    const good = sourceOf(describing({}));
    const observer = { onProblem: (problem: SourceProblem) => void problems.push(problem) };
    const waybill = createWaybill({ sources: [bad, good], observer });
    expect(await waybill.list_capabilities()).toHaveLength(1);
    expect(problems).toMatchObject([{ source: "bad" }]);
  });

  it("a malformed OpenAPI operation does not affect the other operations of its description", async () => {
    const document = describing(
      {},
      {
        paths: {
          "/broken": { get: { operationId: "broken", parameters: [{ $ref: "#/nothing/here" }] } },
          "/endless": { get: { operationId: "endless", parameters: [{ $ref: "#/components/x" }] } },
          "/odd": { get: 7, post: [], parameters: "none" },
          "/far": { get: { operationId: "far", parameters: [{ $ref: "other.json#/a" }] } },
        },
        components: { x: { $ref: "#/components/x" } },
      },
    );
    const waybill = waybillOf(JSON.parse(JSON.stringify(document)) as object);
    const run = (id: string) => waybill.execute(id, {}, { dry_run: true });
    expect((await run("api.op")).ok).toBe(true);
    expect((await run("api.broken")).error).toMatchObject({
      code: "ADAPTER_UNSUPPORTED",
      message:
        "api.broken cannot be called: its description is invalid: #/nothing/here does not exist in the description",
    });
    expect((await run("api.endless")).error?.message).toContain("refers to itself in a circle");
    expect((await run("api.far")).error?.message).toContain("outside the description");
  });
});

describe.each([
  ["parsed", (document: object) => document],
  ["as text", (document: object) => JSON.stringify(document)],
])("invalid operations in a description (%s)", (_how, given) => {
  it("openapiSource reports an invalid operation, and calls of that operation fail", async () => {
    const paths = {
      "/get": { get: "nope", put: { operationId: "put" }, post: null },
      "/text": "nope",
      "/list": [],
      "/gone": { $ref: "#/components/pathItems/Gone" },
      "/empty": {},
      "/bare": { get: {} },
      "x-own": "anything",
    };
    const source = openapiSource({ name: "api", document: given(describing({}, { paths })) });
    const ids = (await source.list()).map(({ id }) => id);
    expect(ids).toEqual(["api.op", "api.put", "api.get_bare"]);
    expect(source.problems?.().map(({ message }) => message)).toEqual([
      "GET /get is not an object",
      "POST /get is not an object",
      "the path /text is not an object",
      "the path /list is not an object",
      "the path /gone: its #/components/pathItems/Gone refers to nothing",
    ]);
  });
});

async function files(): Promise<string> {
  const path = await folder();
  const document = describing({
    parameters: [{ $ref: "shared.yaml#/parameters/Id" }],
  });
  await writeFile(join(path, "api.json"), JSON.stringify(document));
  const shared =
    "parameters: {Id: {in: query, name: id, schema: {$ref: '#/schemas/Id'}}}\nschemas: {Id: {type: integer}}";
  await writeFile(join(path, "shared.yaml"), shared);
  return join(path, "api.json");
}

describe("references to other documents", () => {
  it("openapiSource follows a reference to another document if the option external is set", async () => {
    const source = openapiSource({ name: "api", file: await files(), external: true });
    await source.list();
    expect(source.describe("api.op").inputSchema).toMatchObject({
      properties: { id: { $ref: expect.stringContaining("#/$defs/") as string } },
    });
    expect((await source.preview("api.op", { id: 7 })).url).toContain("?id=7");
  });

  it("openapiSource ignores a reference inside a sample of client code", async () => {
    const path = await folder();
    const file = join(path, "api.json");
    const samples = [{ lang: "C#", source: { $ref: "samples/get.cs" } }];
    const document = describing({
      parameters: [{ $ref: "shared.json#/a" }],
      "x-codeSamples": samples,
    });
    await writeFile(file, JSON.stringify(document));
    await writeFile(join(path, "shared.json"), '{"a":{"in":"query","name":"id"}}');
    const source = openapiSource({ name: "api", file, external: true });
    expect(await source.list()).toHaveLength(1);
    expect(source.problems?.()).toEqual([]);
    expect((await source.preview("api.op", { id: 7 })).url).toContain("?id=7");
  });

  it("openapiSource refuses a reference to another document by default", async () => {
    const source = openapiSource({ name: "api", file: await files() });
    await source.list();
    expect(() => source.describe("api.op")).toThrow('allow it with "external"');
  });

  it("a reference of an API description cannot lead to a file outside the description's folder", async () => {
    const path = await folder();
    const file = join(path, "api.json");
    const parameters = [{ $ref: "../../../etc/passwd#/a" }];
    await writeFile(file, JSON.stringify(describing({ parameters })));
    const source = openapiSource({ name: "api", file, external: true });
    await source.list();
    expect(source.problems?.()[0]?.message).toContain("outside its folder");
    expect(() => source.describe("api.op")).toThrow("does not exist");
  });

  it.each(["linked.json", "inner/secret.json"])(
    "a symbolic link in a reference cannot lead outside the folder of the API description: %s",
    async (name) => {
      const [path, elsewhere] = [await folder(), await folder()];
      const file = join(path, "api.json");
      await writeFile(join(elsewhere, "secret.json"), '{"a":{"in":"query","name":"stolen"}}');
      await symlink(join(elsewhere, "secret.json"), join(path, "linked.json"));
      await symlink(elsewhere, join(path, "inner"));
      const parameters = [{ $ref: `${name}#/a` }];
      await writeFile(file, JSON.stringify(describing({ parameters })));
      const source = openapiSource({ name: "api", file, external: true });
      await source.list();
      expect(source.problems?.()[0]?.message).toContain("outside its folder");
      expect(() => source.describe("api.op")).toThrow("does not exist");
    },
  );

  it("a reference can use symbolic links within the folder of the API description", async () => {
    const [path, elsewhere] = [await folder(), await folder()];
    await writeFile(join(path, "real.json"), '{"a":{"in":"query","name":"id"}}');
    await symlink(join(path, "real.json"), join(path, "..linked.json"));
    await symlink(path, join(elsewhere, "link"));
    const parameters = [{ $ref: "..linked.json#/a" }];
    await writeFile(join(path, "api.json"), JSON.stringify(describing({ parameters })));
    const file = join(elsewhere, "link/api.json");
    const source = openapiSource({ name: "api", file, external: true });
    await source.list();
    expect((await source.preview("api.op", { id: 7 })).url).toContain("?id=7");
  });

  it.each([
    ["does not exist", undefined, "ENOENT"],
    ["is malformed", '{"parameters":', "in the middle"],
  ])(
    "if a document that an API description refers to %s, only the operations that use it fail",
    async (_what, content, reason) => {
      const path = await folder();
      const file = join(path, "api.json");
      const broken = { get: { operationId: "broken", parameters: [{ $ref: "gone.json#/a" }] } };
      await writeFile(file, JSON.stringify(describing({}, { paths: { "/b": broken } })));
      if (content !== undefined) await writeFile(join(path, "gone.json"), content);
      const source = openapiSource({ name: "api", file, external: true });
      expect((await source.list()).map(({ id }) => id)).toEqual(["api.op", "api.broken"]);
      expect(source.problems?.()).toHaveLength(1);
      expect(source.problems?.()[0]?.message).toMatch(
        /^its references to gone\.json cannot be followed: /u,
      );
      expect(source.problems?.()[0]?.message).toContain(reason);
      expect(source.describe("api.op").id).toBe("api.op");
      expect(() => source.describe("api.broken")).toThrow("gone.json/a does not exist");
    },
  );
});

describe("ids of operations", () => {
  it.each([
    [{ operationId: "repos/list-for-org" }, "api.repos.list-for-org"],
    [{ operationId: "Users::get it!" }, "api.Users.get_it"],
    [{ operationId: undefined }, "api.get_users_id_posts"],
    [{ operationId: "日本" }, "api.get_users_id_posts"],
  ])("openapiSource gives the operation %j the id %s", async (operation, id) => {
    expect(await readIds(describing(operation, {}, "/users/{id}/posts"))).toEqual([id]);
  });

  it("ids of OpenAPI operations have at most 64 characters, are unique and do not change between reads", async () => {
    const long = "a".repeat(100);
    const paths = {
      "/b": { get: { operationId: long }, post: { operationId: long } },
      "/c": { get: { operationId: "op" } },
    };
    const ids = await readIds(describing({}, { paths }));
    expect(ids.every((id) => id.length <= 64)).toBe(true);
    expect(new Set(ids).size).toBe(4);
    expect(await readIds(describing({}, { paths }))).toEqual(ids);
    expect(ids[0]).toBe("api.op");
  });

  it.each(["a%2Fb.json#/a", "file://host/a.json#/a", "%E0%A4%A.json#/a"])(
    "an operation with the reference %s, which names no file, fails, and other operations can be called",
    async ($ref) => {
      const file = join(await folder(), "api.json");
      const broken = { get: { operationId: "broken", parameters: [{ $ref }] } };
      await writeFile(file, JSON.stringify(describing({}, { paths: { "/b": broken } })));
      const source = openapiSource({ name: "api", file, external: true });
      await source.list();
      expect(source.problems?.()[0]?.message).toContain("cannot be followed");
      expect(source.describe("api.op").id).toBe("api.op");
    },
  );
});
