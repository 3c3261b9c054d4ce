import { describe, expect, it } from "vitest";
import { CardSchema, checkCard, formatProblem } from "./index.ts";
import type { CardSurroundings } from "./index.ts";
import { loadChecker } from "../schema/index.ts";

function good(): Record<string, unknown> {
  return {
    capability_id: "thing.update",
    version: "1.0.0",
    description: "Change a thing",
    effect: "write",
    input_schema: {
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" }, title: { type: "string" } },
    },
    output_schema: { type: "object" },
    routing: { preferred: "rest", fallbacks: ["cli"] },
    lookup: { owner: { path: "/things/{id}", value: "owner" } },
    rest: {
      method: "PATCH",
      path: "/things/{id}",
      body: { title: "title", owner: "lookup.owner" },
      output: { fields: { id: "id" } },
    },
    cli: { use: "rest" },
    examples: [{ title: "One", input: { id: "1" } }],
  };
}

const place = { file: "thing.yaml", locate: (): number => 4 };

async function complaints(
  change: object,
  surroundings: CardSurroundings = { documents: {} },
): Promise<string[]> {
  const { problems } = await checkCard({ ...good(), ...change }, place, surroundings);
  return problems.map(formatProblem);
}

const rest = good()["rest"] as object;
const routing = good()["routing"] as object;

function rule(predicate: string): object {
  return { routing: { ...routing, suitability: [{ route: "rest", predicate, reason: "r" }] } };
}

describe("checks of a card", () => {
  it("checkCard reports no problems for a valid card", async () => {
    const { card, problems } = await checkCard(good(), place);
    expect(problems).toEqual([]);
    expect(card).toEqual(good());
  });

  it.each(["rest", "graphql"] as const)(
    "checkCard lets the CLI route reuse %s without a routing entry for it",
    async (use) => {
      const graphql = { operationName: "Thing", documentPath: "thing.graphql", output: "thing" };
      const change = {
        routing: { preferred: "cli", fallbacks: [] },
        cli: { use },
        ...(use === "graphql" && { rest: undefined, lookup: undefined, graphql }),
      };
      expect(await complaints(change, {})).toEqual([]);
    },
  );

  it("CardSchema compiles and accepts a valid card", async () => {
    expect((await loadChecker()).compile(CardSchema).check(good())).toBe(true);
  });

  it.each<[string, object, string]>([
    ["a missing member", { description: undefined }, "description"],
    ["a version as a number", { version: 1 }, "version: must be string, not number"],
    [
      "a format of a newer Waybill",
      { format: 2, description: undefined, newMember: 1 },
      "format: is 2, but this Waybill reads format 1; update Waybill to use it",
    ],
    [
      "an unknown member",
      { routng: {} },
      'routng: is not a known name here; did you mean "routing"?',
    ],
    [
      "an unknown effect",
      { effect: "wirte" },
      'effect: must be one of the allowed values; did you mean "write"?',
    ],
    ["an id without a dot", { capability_id: "thing" }, "capability_id: must match pattern"],
    [
      "an unknown route",
      { routing: { preferred: "soap", fallbacks: [] } },
      "routing.preferred: must be one of",
    ],
    [
      "a route the card lacks",
      { routing: { preferred: "graphql", fallbacks: ["rest", "cli"] } },
      "routing.preferred: the card has no graphql route",
    ],
    [
      "a route that is listed twice",
      { routing: { preferred: "rest", fallbacks: ["cli", "rest"] } },
      "routing.fallbacks.1: rest is named twice",
    ],
    [
      "a route that the routing omits",
      { routing: { preferred: "rest", fallbacks: [] } },
      'cli: is not used; add "cli" to "routing", or remove this part',
    ],
    [
      "a route that nothing uses",
      { routing: { preferred: "cli", fallbacks: [] }, cli: { command: "x", output: "y" } },
      'rest: is not used; add "rest" to "routing", or remove this part',
    ],
    [
      "a rule for a route that the card lacks",
      {
        routing: {
          ...routing,
          suitability: [{ route: "graphql", predicate: "env.offline", reason: "r" }],
        },
      },
      'routing.suitability.0.route: graphql is not one of the routes in "routing"',
    ],
    [
      "a predicate that does not parse",
      rule("params.id =="),
      'routing.suitability.0.predicate: "params.id ==" is not a valid expression',
    ],
    [
      "a predicate that names an input without params.",
      rule("id == 'a'"),
      '"id" must be written params.id or env.id',
    ],
    [
      "a predicate that names an unknown input",
      rule("params.idd == 'a'"),
      'there is no input "idd"; did you mean "id"?',
    ],
    [
      "an expression that does not parse",
      { rest: { ...rest, body: { title: "title[" } }, lookup: {} },
      'rest.body.title: "title[" is not a valid expression',
    ],
    [
      "an unknown input",
      { rest: { ...rest, body: { title: "titel", o: "lookup.owner" } } },
      'rest.body: there is no input "titel"; did you mean "title"?',
    ],
    [
      "an unknown lookup",
      { rest: { ...rest, body: { a: "lookup.ownr" } }, lookup: {} },
      'there is no lookup "ownr"',
    ],
    [
      "an unused lookup",
      { rest: { ...rest, body: {} } },
      "lookup.owner: is not used by any route; use it or remove it",
    ],
    [
      "a lookup with both a path and a document",
      { lookup: { owner: { path: "/x", document: "Y", value: "z" } } },
      'lookup.owner: needs either "document" or "path"',
    ],
    [
      "a lookup that depends on itself",
      { lookup: { owner: { path: "/x/{lookup.owner}", value: "z" } } },
      "thing.yaml:4 lookup.owner: depends on itself, through owner",
    ],
    [
      "lookups that depend on each other",
      {
        lookup: {
          owner: { path: "/x/{lookup.team}", value: "z" },
          team: { path: "/y", query: { of: "lookup.owner" }, value: "z" },
        },
      },
      "lookup.team: depends on itself, through owner",
    ],
    [
      "lookups whose values depend on each other",
      {
        lookup: {
          owner: { path: "/x/{lookup.team}", value: "z" },
          team: { path: "/y", value: "[?id==$lookup.owner].id" },
        },
      },
      "lookup.owner: depends on itself, through team",
    ],
    [
      "a lookup that depends on an unknown lookup",
      { lookup: { owner: { path: "/x/{lookup.ownr}", value: "z" } } },
      'lookup.owner.path: there is no lookup "ownr"; did you mean "owner"?',
    ],
    [
      "a path without a slash",
      { rest: { ...rest, path: "things/{id}" } },
      'rest.path: must begin with "/"',
    ],
    [
      "a path with dots",
      { rest: { ...rest, path: "/a/../b" } },
      'rest.path: must not have an empty segment, "." or ".."',
    ],
    [
      "a path with one dot",
      { rest: { ...rest, path: "/a/./b" } },
      'rest.path: must not have an empty segment, "." or ".."',
    ],
    [
      "a path with a query",
      { rest: { ...rest, path: "/a?b=c" } },
      'rest.path: must not contain spaces, "?" or "#"; write the query under "query"',
    ],
    ["an unknown method", { rest: { ...rest, method: "FETCH" } }, "rest.method"],
    [
      "a header with credentials",
      { rest: { ...rest, headers: { Authorization: "x" } } },
      "rest.headers",
    ],
    [
      "a CLI route with both a command and use",
      { cli: { use: "rest", command: "issue view" } },
      'cli: needs either "use" or "command"',
    ],
    [
      "a CLI route that uses a missing route",
      { cli: { use: "graphql" } },
      "cli.use: the card has no graphql route",
    ],
    [
      "a CLI command without output",
      { cli: { command: "issue view" } },
      'cli: a command needs an "output"',
    ],
    [
      "a flag with dashes",
      { cli: { command: "a", output: "@", flags: { "--web": "id" } } },
      "cli.flags.--web: is not the long name",
    ],
    [
      "an alias that is an input",
      { aliases: { id: ["title"] } },
      'aliases.id: "title" is already an input; choose another name',
    ],
    [
      "an alias of two inputs",
      { aliases: { id: ["x"], title: ["x"] } },
      'aliases.title: "x" is already another name of id; choose another name',
    ],
    [
      "an alias of an unknown input",
      { aliases: { titel: ["x"] } },
      'aliases.titel: is not an input; did you mean "title"?',
    ],
    [
      "an input with a reserved name",
      { input_schema: { type: "object", properties: { id: {}, title: {}, env: {} } } },
      "input_schema.properties.env: is reserved in expressions",
    ],
    [
      "an input schema that is not an object",
      { input_schema: { type: "string" } },
      'input_schema: must have type "object"',
    ],
    [
      "a schema with a broken reference",
      { output_schema: { $ref: "#/$defs/x" } },
      "output_schema: is not a usable schema",
    ],
    [
      "an example that the input schema refuses",
      { examples: [{ title: "t", input: {} }] },
      "examples.0.input.id: is required",
    ],
    [
      "a verify in a read",
      { effect: "read", verify: { capability: "a.b", params: {}, same: { a: "id" } } },
      "verify: is for writes only; remove it from this read",
    ],
    [
      "a read that deletes",
      { effect: "read", rest: { ...rest, method: "DELETE" } },
      'rest: sends DELETE, but the effect of the card is "read"',
    ],
    [
      "a read with a header that names another method",
      {
        effect: "read",
        rest: { ...rest, method: "GET", headers: { "X-HTTP-Method-Override": "DELETE" } },
      },
      "rest: sends GET with the header x-http-method-override, but the effect of the card is",
    ],
    ...["repo delete view", "view"].map((command): [string, object, string] => [
      `a read that runs ${command}`,
      { effect: "read", cli: { command, output: "@" } },
      `cli: sends the command ${command}, but the effect of the card is "read"`,
    ]),
    [
      "a command that shows the user's token",
      { cli: { command: "auth status", flags: { "show-token": true }, output: "@" } },
      "cli.command: must not run gh auth, which changes the user's sign-in",
    ],
    ...["flags", "positionals"].map((member): [string, object, string] => [
      `a long text in ${member}`,
      {
        input_schema: { type: "object", properties: { id: {}, title: {}, body: {} } },
        cli: {
          command: "thing edit",
          [member]: member === "flags" ? { note: "body" } : ["id", "body"],
          output: "@",
        },
      },
      `cli.${member}${member === "flags" ? ".note" : ""}: may be long or private`,
    ]),
    [
      "a flag for a long text",
      { cli: { command: "thing edit", flags: { body: "title" }, output: "@" } },
      "cli.flags.body: may be long or private",
    ],
    [
      "a verify that does not parse",
      { verify: { capability: "a.b", params: { x: "(" }, same: { a: "id" } } },
      'verify.params.x: "(" is not a valid expression',
    ],
    ["an include without routes", { include: { extra: {} } }, "include.extra"],
    [
      "a missing GraphQL document",
      {
        graphql: { operationName: "X", documentPath: "x.graphql", output: "@" },
        routing: { preferred: "rest", fallbacks: ["cli", "graphql"] },
      },
      'graphql.documentPath: there is no document "x.graphql"',
    ],
  ])("checkCard reports %s", async (_name, change, message) => {
    const found = await complaints(change);
    expect(found.every((line) => line.startsWith("thing.yaml:4 "))).toBe(true);
    expect(found.join("\n")).toContain(message);
  });

  it("checkCard reports unknown capabilities and functions if it gets the lists of both", async () => {
    const verify = { capability: "thing.lst", params: {}, same: { a: "id" } };
    expect(await complaints({ verify }, { capabilities: new Set(["thing.list"]) })).toEqual([
      'thing.yaml:4 verify.capability: there is no thing.lst; did you mean "thing.list"?',
    ]);
    const output = { call: "tial" };
    expect(
      await complaints({ rest: { ...rest, output } }, { functions: new Set(["tail"]) }),
    ).toEqual(['thing.yaml:4 rest.output: there is no function "tial"; did you mean "tail"?']);
  });

  it("checkCard refuses a write whose verify section names a capability that is a write", async () => {
    const verify = { capability: "thing.make", params: {}, same: { a: "id" } };
    const effects = new Map([["thing.make", "write" as const]]);
    expect(await complaints({ verify }, { effects })).toEqual([
      "thing.yaml:4 verify.capability: thing.make is a write; only a read can show whether the write was applied",
    ]);
  });

  it('checkCard refuses a verify section that reads a list without "created" or "before"', async () => {
    const verify = { capability: "thing.list", params: {}, same: { a: "id" } };
    const lists = new Set(["thing.list"]);
    expect(await complaints({ verify }, { lists })).toEqual([
      'thing.yaml:4 verify: thing.list is a list; add "created" or "before" to show which of its items are new',
    ]);
    for (const change of [
      { verify: { ...verify, created: "createdAt" } },
      { verify: { ...verify, before: "id" } },
      { verify: { ...verify, capability: "thing.view" } },
      { verify, idempotent: true },
    ]) {
      expect(await complaints(change, { lists })).toEqual([]);
    }
  });

  it("checkCard refuses a mutation in a read and in a lookup", async () => {
    const document = { operationName: "M", kind: "mutation", text: "", variables: [] } as const;
    const graphql = { operationName: "M", documentPath: "M", output: "@" };
    const change = {
      effect: "read",
      rest: { ...rest, method: "GET" },
      graphql,
      routing: { preferred: "rest", fallbacks: ["cli", "graphql"] },
      lookup: { owner: { document: "M", value: "x" } },
    };
    expect(await complaints(change, { documents: { M: document } })).toEqual([
      'thing.yaml:4 graphql: sends a mutation, but the effect of the card is "read"; if the request changes nothing, add safe: true',
      "thing.yaml:4 lookup.owner: must be a query, not a mutation",
    ]);
  });

  it.each([
    ["POST", { rest: { ...rest, method: "POST" } }, "rest: sends POST"],
    ["PUT", { rest: { ...rest, method: "PUT" } }, "rest: sends PUT"],
    ["PATCH", {}, "rest: sends PATCH"],
    [
      "a command that deletes",
      { rest: { ...rest, method: "GET" }, cli: { command: "issue delete", output: "@" } },
      "cli: sends the command issue delete",
    ],
    [
      "any request by a command",
      { rest: { ...rest, method: "GET" }, cli: { command: "api", output: "@" } },
      "cli: sends the command api",
    ],
  ])(
    "checkCard refuses %s in a read, unless the card is marked safe",
    async (_name, change, says) => {
      const read = { effect: "read", ...change };
      const found = await complaints(read);
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(says);
      expect(await complaints({ ...read, safe: true })).toEqual([]);
    },
  );

  it.each(["issue list", "pr diff", "search issues"])(
    "checkCard accepts gh %s as a read",
    async (command) => {
      const read = { effect: "read", rest: { ...rest, method: "GET" } };
      expect(await complaints({ ...read, cli: { command, output: "@" } })).toEqual([]);
    },
  );

  it("checkCard refuses a write that is marked safe", async () => {
    expect(await complaints({ safe: true })).toEqual([
      'thing.yaml:4 safe: is allowed only if the effect of the card is "read"',
    ]);
  });

  it("checkCard reports a misspelt type anywhere in a schema", async () => {
    const input_schema = {
      type: "object",
      properties: {
        id: { type: "strng" },
        title: { anyOf: [{ type: ["string", "nul"] }] },
        type: { type: "string" },
      },
      $defs: { a: { items: { type: "dict" } } },
    };
    expect(await complaints({ input_schema, output_schema: { type: "obj" } })).toEqual([
      'thing.yaml:4 input_schema.properties.id.type: "strng" is not a type; did you mean "string"?',
      'thing.yaml:4 input_schema.properties.title.anyOf.0.type.1: "nul" is not a type; did you mean "null"?',
      'thing.yaml:4 input_schema.$defs.a.items.type: "dict" is not a type; one of array, boolean, integer, null, number, object, string',
      expect.stringContaining('output_schema.type: "obj" is not a type') as unknown,
    ]);
  });

  it("checkCard accepts a flag that reads a long text from stdin", async () => {
    const flags = { "body-file": { text: "-" } };
    const cli = { command: "thing edit", flags, stdin: "title", output: "@" };
    expect(await complaints({ cli })).toEqual([]);
  });

  it("checkCard reports unknown and missing variables of the GraphQL document of a route", async () => {
    const document = {
      operationName: "Y",
      kind: "query",
      text: "",
      variables: [{ name: "id", required: true }],
    } as const;
    const graphql = { operationName: "X", documentPath: "x", variables: { a: "id" }, output: "@" };
    const change = { graphql, routing: { preferred: "rest", fallbacks: ["cli", "graphql"] } };
    expect(await complaints(change, { documents: { x: document } })).toEqual([
      "thing.yaml:4 graphql.variables.a: is not a variable of Y",
      "thing.yaml:4 graphql.variables: must set $id, which the document requires",
      "thing.yaml:4 graphql.operationName: must be Y, the operation of the document",
    ]);
  });

  it("checkCard reports all problems at once", async () => {
    const found = await complaints({
      aliases: { x: ["y"] },
      cli: {},
      examples: [{ title: "t", input: {} }],
    });
    expect(found).toHaveLength(3);
  });

  it.each([[undefined], [null], [1], ["text"], [[]], [[{}]], [{}]])(
    "checkCard reports a problem for %j and does not throw",
    async (value) => {
      const { card, problems } = await checkCard(value, { file: "x.yaml" });
      expect(card).toBeUndefined();
      expect(formatProblem(problems[0]!)).toMatch(/^x\.yaml /);
    },
  );
});
