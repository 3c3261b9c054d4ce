import { parse, validate } from "graphql";
import { expect, it } from "vitest";
import { fieldOperations } from "../packages/adapters/src/graphql/source/field-operations.ts";
import { loadSchema } from "../packages/github/src/schema/load.ts";

it("the default GraphQL documents are valid for every root field of GitHub's schema, including unions", async () => {
  const schema = await loadSchema();
  const limits = { depth: 2, fields: 60 };
  const documents = [...fieldOperations("github", schema, limits)].map(
    (operation) => operation.request({}).document,
  );
  const problems = documents.flatMap((document) =>
    validate(schema, parse(document)).map(({ message }) => message),
  );
  expect(problems).toEqual([]);
  expect(documents.filter((document) => document.includes("... on ")).length).toBeGreaterThan(30);
});
