import { buildSchema, graphqlSync, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { canMerge, mergeDocuments } from "./documents-merge.ts";
import type { MergeStep } from "./documents-merge.ts";
import { DocumentError, prepareDocument } from "./documents.ts";

const schema = buildSchema(`
  type Query { user(login: String!, first: Int = 1): User viewer: User boom: String! }
  type Mutation { add(name: String!): Int! }
  type User { id: ID! login: String! friends(first: Int): [User!]! }
`);

interface FriendsArgs {
  readonly first?: number;
}

function user(login: string): object {
  return {
    id: `U_${login}`,
    login,
    friends: ({ first = 2 }: FriendsArgs) =>
      Array.from({ length: first }, (_, index) => user(`${login}${index}`)),
  };
}

const added: string[] = [];
const rootValue = {
  user: ({ login }: { login: string }) => user(login),
  viewer: () => user("me"),
  boom: () => {
    throw new Error("boom");
  },
  add: ({ name }: { name: string }) => {
    added.push(name);
    if (name === "bad") throw new Error("bad name");
    return added.length;
  },
};

interface Sent {
  readonly source: string;
  readonly variables?: Record<string, unknown>;
}

/** Sends each document alone and then all of them merged. The data must be the same. */
function expectSame(sent: readonly Sent[]): { document: string; together: unknown } {
  const steps = sent.map(({ source, variables = {} }) => ({
    document: prepareDocument(source),
    variables,
  }));
  const merged = mergeDocuments(steps);
  expect(validate(schema, parse(merged.document))).toEqual([]);
  const { document, variables } = merged;
  const answer = graphqlSync({ schema, rootValue, source: document, variableValues: variables });
  const { steps: answers } = merged.split(answer.data, answer.errors as never);
  const alone = steps.map((step) =>
    graphqlSync({
      schema,
      rootValue,
      source: step.document.text,
      variableValues: step.variables,
    }),
  );
  expect(JSON.parse(JSON.stringify(answers.map(({ data }) => data)))).toEqual(
    JSON.parse(JSON.stringify(alone.map(({ data }) => data))),
  );
  return { document, together: answers };
}

describe("prepareDocument", () => {
  it("prepareDocument prints a GraphQL document without needless whitespace", () => {
    const source = `# a comment
      query UserView($login: String!, $first: Int = 2, $n: Int) {
        user(login: $login, first: $first) { id friends(first: $n) { login } }
      }`;
    expect(prepareDocument(source)).toMatchObject({
      operationName: "UserView",
      kind: "query",
      text: "query UserView($login:String!$first:Int=2$n:Int){user(login:$login first:$first){id friends(first:$n){login}}}",
      variables: [
        { name: "login", required: true },
        { name: "first", required: false },
        { name: "n", required: false },
      ],
    });
  });

  it.each<[string, string, string, number | undefined]>([
    ["a syntax error", "query A {\n  b(\n}", "Syntax Error", 3],
    ["two operations", "query A { a } query B { b }", "exactly one operation", undefined],
    ["no operation", "fragment F on Query { a }", "exactly one operation", undefined],
    ["an operation without a name", "\n{ a }", "needs a name", 2],
    ["a subscription", "subscription A { a }", "not a subscription", 1],
    ["a type", "query A { a }\ntype B { c: Int }", "only operations and fragments", 2],
    ["an unknown fragment", "query A {\n ...F }", 'Unknown fragment "F"', 2],
    [
      "a fragment that contains itself",
      "query A { ...F } fragment F on Query { ...F }",
      "within itself",
      1,
    ],
    ["an undefined variable", "query A { a(b: $c) }", 'Variable "$c" is not defined', 1],
    ["an unused variable", "query A($c: Int) { a }", 'Variable "$c" is never used', 1],
    [
      "an unused fragment",
      "query A { a } fragment F on Query { b }",
      'Fragment "F" is never used',
      1,
    ],
    ["400,000 characters", `query A { a ${"b ".repeat(200_000)} }`, "longer than", undefined],
  ])("prepareDocument refuses a document with %s", (_name, source, message, line) => {
    let thrown: unknown;
    try {
      prepareDocument(source);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(DocumentError);
    expect((thrown as DocumentError).message).toContain(message);
    expect((thrown as DocumentError).line).toBe(line);
  });
});

function mergeStep(source: string): MergeStep {
  return { document: prepareDocument(source), variables: {} };
}

describe("mergeDocuments", () => {
  const view = "query View($login: String!) { user(login: $login) { id login } }";

  it("mergeDocuments renames variables so that two documents can use the same variable name", () => {
    const { document, together } = expectSame([
      { source: view, variables: { login: "a" } },
      { source: view, variables: { login: "b", unknown: 1 } },
    ]);
    expect(document).toBe(
      "query Merged($s0_login:String! $s1_login:String!){s0_user:user(login:$s0_login){id login} s1_user:user(login:$s1_login){id login}}",
    );
    expect(together).toMatchObject([
      { data: { user: { login: "a" } }, errors: [] },
      { data: { user: { login: "b" } }, errors: [] },
    ]);
  });

  it("mergeDocuments keeps aliases, defaults, directives and several root fields of each document", () => {
    const source = `query V($login: String = "x", $with: Boolean!, $first: Int = 3) {
      one: user(login: $login) @include(if: $with) { id }
      viewer { friends(first: $first) { login @skip(if: $with) } }
      __typename
    }`;
    expectSame([
      { source, variables: { with: true } },
      { source, variables: { with: false, login: "z", first: 1 } },
    ]);
  });

  it("mergeDocuments writes a fragment once, or once for each document if the fragment uses variables", () => {
    const fragments = `fragment Name on User { id ...Login } fragment Login on User { login }`;
    const source = `query V($n: Int) { viewer { ...Name ...Friends } } ${fragments}
      fragment Friends on User { friends(first: $n) { ...Name } }`;
    const { document } = expectSame([
      { source, variables: { n: 1 } },
      { source, variables: { n: 2 } },
      { source: `query W { viewer { ...Login } } fragment Login on User { login }` },
    ]);
    expect(document.match(/fragment Name_/g)).toHaveLength(1);
    expect(document.match(/fragment Login_/g)).toHaveLength(1);
    expect(document.match(/fragment s\d_Friends/g)).toHaveLength(2);
  });

  it("mergeDocuments keeps two different fragments with the same name apart", () => {
    const { document } = expectSame([
      { source: "query A { viewer { ...F } } fragment F on User { id }" },
      { source: "query B { viewer { ...F } } fragment F on User { login }" },
    ]);
    expect(document.match(/fragment F_/g)).toHaveLength(2);
  });

  it("mergeDocuments replaces a fragment at the root by its fields", () => {
    const source = `query A($l: String!, $with: Boolean = true) {
        ...Root @include(if: $with)
        ... on Query { other: viewer { ...F } }
      }
      fragment Root on Query { user(login: $l) { ...F } ...More }
      fragment More on Query { viewer { login } }
      fragment F on User { id }`;
    expectSame([
      { source, variables: { l: "a" } },
      { source, variables: { l: "b", with: false } },
    ]);
  });

  it("mergeDocuments does not rename words inside strings", () => {
    const source = 'query A { user(login: "$login s0_ ...F") { login } }';
    expectSame([{ source }, { source }]);
  });

  it("mergeDocuments gives each document its own errors, under the field names of that document", () => {
    const add = "mutation Add($name: String!) { added: add(name: $name) }";
    const steps = ["a", "bad"].map((name) => ({
      document: prepareDocument(add),
      variables: { name },
    }));
    const merged = mergeDocuments(steps);
    const errors = [
      { message: "bad name", path: ["s1_added", 0] },
      { message: "all", path: ["other"] },
      { message: "rejected" },
    ];
    expect(merged.split({ s0_added: 1, s1_added: null }, errors)).toEqual({
      steps: [
        { data: { added: 1 }, errors: [] },
        { data: { added: null }, errors: [{ message: "bad name", path: ["added", 0] }] },
      ],
      errors: [{ message: "all", path: ["other"] }, { message: "rejected" }],
    });
    expect(merged.split(null, [{ message: "rejected" }]).steps[0]).toEqual({
      data: null,
      errors: [],
    });
    expect(merged.document.startsWith("mutation Merged(")).toBe(true);
  });

  it("mergeDocuments keeps the results of document 1 and document 10 apart", () => {
    const steps = Array.from({ length: 12 }, (_, index) => ({
      source: view,
      variables: { login: `u${index}` },
    }));
    const { together } = expectSame(steps);
    expect(together).toHaveLength(12);
  });

  it("canMerge is false if the merged documents could request too many items", () => {
    const source = `query L($first: Int!) { list(first: $first) { nodes { ...F all(last: 20) { id } } } }
      fragment F on Item { labels(first: 10) { id } pairs(first: $first) { id } }`;
    const document = prepareDocument(source);
    expect(document.nodes).toEqual([
      { factor: 31, variables: ["first"] },
      { factor: 1, variables: ["first", "first"] },
    ]);
    const step = { document, variables: { first: 10 } };
    expect(canMerge([step, step], 820)).toBe(true);
    expect(canMerge([step, step], 819)).toBe(false);
  });

  it("canMerge is false for queries beside mutations, and for documents with directives", () => {
    const query = mergeStep(view);
    expect(canMerge([query, query])).toBe(true);
    expect(canMerge([query, mergeStep("mutation M { add(name: 1) }")])).toBe(false);
    const marked = mergeStep("query D @live { viewer { id } }");
    expect(canMerge([marked])).toBe(false);
    expect(() => mergeDocuments([])).toThrow(TypeError);
    expect(() => mergeDocuments([marked])).toThrow("cannot be merged");
  });
});
