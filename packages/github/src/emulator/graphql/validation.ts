import {
  BREAK,
  GraphQLError,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from "graphql";
import type { ASTNode, DocumentNode, GraphQLSchema, ValidationRule } from "graphql";
import type { GithubError } from "./failure.ts";

/**
 * GitHub allows fields of the same name to have different types in different fragments, and `gh`
 * relies on it.
 */
const RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/** The parsed query, or the errors for which GitHub would refuse it. */
export function checkQuery(
  schema: GraphQLSchema,
  query: string,
): DocumentNode | readonly GithubError[] {
  const document = parseQuery(query);
  if (document instanceof GraphQLError) return [syntaxError(document)];
  if (validate(schema, document, RULES).length === 0) return document;
  // graphql-js errors do not name their rule, so each rule runs alone after a failure.
  return RULES.flatMap((rule) =>
    validate(schema, document, [rule]).map((error) => inGithubsWords(document, rule, error)),
  );
}

function parseQuery(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function syntaxError({ message, locations }: GraphQLError): GithubError {
  const [at] = locations ?? [];
  const where = at === undefined ? "" : ` at [${at.line}, ${at.column}]`;
  const text = message.replace(/^Syntax Error: /, "Parse error: ");
  return { message: `${text}${where}`, ...(locations ? { locations } : {}) };
}

interface Translation {
  readonly pattern: RegExp;
  readonly code: string;
  /** Builds GitHub's message from the captured parts of graphql-js's message. */
  readonly say: (...caught: readonly string[]) => string;
  /** The names of the parts that the pattern captures. */
  readonly names: readonly string[];
}

/** Translates each graphql-js rule to the code and message of GitHub's validator (graphql-ruby). */
const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  FieldsOnCorrectTypeRule: {
    pattern: /^Cannot query field "(.+?)" on type "(.+?)"/,
    code: "undefinedField",
    say: (field, type) => `Field '${field}' doesn't exist on type '${type}'`,
    names: ["fieldName", "typeName"],
  },
  KnownArgumentNamesRule: {
    pattern: /^Unknown argument "(.+?)" on field ".+?\.(.+?)"/,
    code: "argumentNotAccepted",
    say: (argument, field) => `Field '${field}' doesn't accept argument '${argument}'`,
    names: ["argumentName", "name"],
  },
  ProvidedRequiredArgumentsRule: {
    pattern: /^Field "(.+?)" argument "(.+?)"/,
    code: "missingRequiredArguments",
    say: (field, argument) => `Field '${field}' is missing required arguments: ${argument}`,
    names: ["name", "arguments"],
  },
  ScalarLeafsRule: {
    pattern: /^Field "(.+?)" .*?type "(.+?)"/,
    code: "selectionMismatch",
    say: (field, type) =>
      `Field must have selections (field '${field}' returns ${type} but has no selections. Did you mean '${field} { ... }'?)`,
    names: ["nodeName", "typeName"],
  },
  KnownTypeNamesRule: {
    pattern: /^Unknown type "(.+?)"/,
    code: "undefinedType",
    say: (type) => `No such type ${type}, so it can't be a fragment condition`,
    names: ["typeName"],
  },
  KnownDirectivesRule: {
    pattern: /^Unknown directive "@(.+?)"/,
    code: "undefinedDirective",
    say: (directive) => `Directive @${directive} is not defined`,
    names: ["directiveName"],
  },
  NoUndefinedVariablesRule: {
    pattern: /^Variable "\$(.+?)" is not defined(?: by operation "(.+?)")?/,
    code: "variableNotDefined",
    say: (variable, operation = "anonymous query") =>
      `Variable $${variable} is used by ${operation} but not declared`,
    names: ["variableName"],
  },
  NoUnusedVariablesRule: {
    pattern: /^Variable "\$(.+?)" is never used(?: in operation "(.+?)")?/,
    code: "variableNotUsed",
    say: (variable, operation = "anonymous query") =>
      `Variable $${variable} is declared by ${operation} but not used`,
    names: ["variableName"],
  },
  ValuesOfCorrectTypeRule: {
    pattern: /^(.+)$/s,
    code: "argumentLiteralsIncompatible",
    say: (message) => message ?? "",
    names: [],
  },
  VariablesInAllowedPositionRule: {
    pattern: /^Variable "\$(.+?)" of type "(.+?)" used in position expecting type "(.+?)"/,
    code: "variableMismatch",
    say: (variable, type, wanted) =>
      `Type mismatch on variable $${variable} and argument (${type} / ${wanted})`,
    names: ["variableName", "typeName"],
  },
};

function inGithubsWords(
  document: DocumentNode,
  rule: ValidationRule,
  error: GraphQLError,
): GithubError {
  const path = pathTo(document, error.nodes?.[0]);
  const place = { ...(path && { path }), ...(error.locations && { locations: error.locations }) };
  const translation = TRANSLATIONS[rule.name];
  const found = translation?.pattern.exec(error.message);
  if (!translation || !found) return { ...place, message: error.message };
  const caught = found.slice(1);
  const named = translation.names.map((name, index) => [name, caught[index]] as const);
  const extensions = { code: translation.code, ...Object.fromEntries(named) };
  return { ...place, extensions, message: translation.say(...caught) };
}

/**
 * The path of a part of the document, in GitHub's form: ["query Name", "viewer", "... on User"].
 */
function pathTo(document: DocumentNode, target: ASTNode | undefined): string[] | undefined {
  const names: string[] = [];
  let path: string[] | undefined;
  visit(document, {
    enter(node) {
      const name = nodeName(node);
      if (name !== undefined) names.push(name);
      if (node !== target) return undefined;
      path = [...names];
      return BREAK;
    },
    leave(node) {
      if (nodeName(node) !== undefined) names.pop();
    },
  });
  return path;
}

function nodeName(node: ASTNode): string | undefined {
  switch (node.kind) {
    case Kind.OPERATION_DEFINITION:
      return [node.operation, node.name?.value].filter((one) => one !== undefined).join(" ");
    case Kind.FRAGMENT_DEFINITION:
      return `fragment ${node.name.value}`;
    case Kind.INLINE_FRAGMENT:
      return `... on ${node.typeCondition?.name.value ?? ""}`;
    case Kind.FIELD:
      return node.alias?.value ?? node.name.value;
    case Kind.ARGUMENT:
      return node.name.value;
    default:
      return undefined;
  }
}
