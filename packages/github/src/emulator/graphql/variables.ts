import { Kind, coerceInputValue, getOperationAST, isInputType, print, typeFromAST } from "graphql";
import type { DocumentNode, GraphQLSchema, VariableDefinitionNode } from "graphql";
import type { GithubError } from "./failure.ts";

interface Problem {
  readonly path: readonly (string | number)[];
  readonly explanation: string;
}

const NOT_NULL = "Expected value to not be null";

/** GitHub's message for an invalid value, if its wording differs from that of graphql-js. */
function explain(message: string): string {
  const unknown = /^Field "(.+?)" is not defined by type "(.+?)"/.exec(message);
  if (unknown !== null) return `Field is not defined on ${unknown[2]!}`;
  return /was not provided|not to be null/.test(message) ? NOT_NULL : message;
}

/** A missing or unknown member is reported at that member, not at the object around it. */
function messagePath(message: string): string[] {
  const [, name] = /^Field "(.+?)" (?:of required|is not defined)/.exec(message) ?? [];
  return name === undefined ? [] : [name];
}

function variableProblems(
  schema: GraphQLSchema,
  { type: node, variable, defaultValue }: VariableDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): Problem[] {
  const type = typeFromAST(schema, node);
  const value = values[variable.name.value];
  if (!isInputType(type) || (value === undefined && defaultValue !== undefined)) return [];
  if (value === undefined)
    return node.kind === Kind.NON_NULL_TYPE ? [{ path: [], explanation: NOT_NULL }] : [];
  const problems: Problem[] = [];
  coerceInputValue(value, type, (path, _value, { message }) => {
    problems.push({ path: [...path, ...messagePath(message)], explanation: explain(message) });
  });
  return problems;
}

/** The errors for variables of the wrong type, in GitHub's form. */
export function variableErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  values: Readonly<Record<string, unknown>>,
  operationName: string | null,
): GithubError[] {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return definitions.flatMap((definition) => {
    const problems = variableProblems(schema, definition, values);
    if (problems.length === 0) return [];
    const name = definition.variable.name.value;
    const words = problems.map(({ path, explanation }) =>
      path.length === 0 ? `(${explanation})` : `${path.join(".")} (${explanation})`,
    );
    const about = words[0]?.startsWith("(") === true ? "" : "for ";
    const { line = 1, column = 1 } = getStart(definition);
    return [
      {
        extensions: { value: values[name] ?? null, problems },
        locations: [{ line, column }],
        message: `Variable $${name} of type ${print(definition.type)} was provided invalid value ${about}${words.join(", ")}`,
      },
    ];
  });
}

function getStart({ loc }: VariableDefinitionNode): { line?: number; column?: number } {
  return loc === undefined ? {} : { line: loc.startToken.line, column: loc.startToken.column };
}
