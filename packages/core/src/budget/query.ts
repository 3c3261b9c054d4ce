import { boundedSearch, unknownFunction } from "../cards/index.ts";
import type { SyntaxTree } from "../cards/index.ts";
import { CallError, isCallError, thrownMessage } from "../envelope/index.ts";

type Jmespath = typeof import("@jmespath-community/jmespath");

export const MAX_QUERY_LENGTH = 2_000;

export type Query = (data: unknown) => unknown;

let library: Promise<Jmespath> | undefined;

function loadJmespath(): Promise<Jmespath> {
  library ??= import("@jmespath-community/jmespath");
  return library;
}

function invalidQuery(sentence: string, position: number): CallError {
  return new CallError("VALIDATION_ERROR", `The query ${sentence}`, {
    issues: [{ path: "/query", message: sentence }],
    position,
  });
}

function queryError(expression: string, message: string, position: number): CallError {
  const near = expression.slice(position, position + 20) || "the end";
  return invalidQuery(
    `is not valid JMESPath: ${message} (at ${position}, near ${near}). Correct it there`,
    position,
  );
}

function problemWith(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return thrownMessage(thrown);
  }
}

/** The length of the longest prefix that the tokenizer accepts. */
function lexedLength({ tokenize }: Jmespath, expression: string): number {
  let length = expression.length;
  while (length > 0 && problemWith(() => tokenize(expression.slice(0, length)))) length -= 1;
  return length;
}

/**
 * The position of a syntax error, which the library does not report. It is the first token at
 * which parsing fails for another reason than an incomplete expression.
 */
function getPosition(jmespath: Jmespath, expression: string): number {
  const lexed = lexedLength(jmespath, expression);
  if (lexed < expression.length) return lexed;
  const tokens = jmespath.tokenize(expression);
  for (const [index, { start }] of tokens.entries()) {
    const end = tokens[index + 1]?.start ?? expression.length;
    const problem = problemWith(() => jmespath.compile(expression.slice(0, end)));
    if (problem !== undefined && !problem.includes("EOF")) return start;
  }
  return expression.length;
}

/**
 * The position of the function call that failed. Functions are checked at run time, and the
 * error message names them.
 */
function positionOfFunction(expression: string, message: string): number {
  const [, name = ""] = /(\w+)\(\)/.exec(message) ?? [];
  return name === "" ? 0 : Math.max(0, expression.indexOf(name));
}

/**
 * Parses a JMESPath expression before anything is called, so that an invalid expression is
 * refused early.
 */
export async function compileQuery(expression: string): Promise<Query> {
  if (expression.length > MAX_QUERY_LENGTH) {
    const sentence = `is longer than ${MAX_QUERY_LENGTH} characters. Shorten it`;
    throw invalidQuery(sentence, MAX_QUERY_LENGTH);
  }
  const jmespath = await loadJmespath();
  const problem = problemWith(() => jmespath.compile(expression));
  if (problem !== undefined)
    throw queryError(expression, problem, getPosition(jmespath, expression));
  const tree = jmespath.compile(expression);
  const known = new Set(jmespath.getRegisteredFunctions());
  const unknown = unknownFunction(tree as unknown as SyntaxTree, known);
  if (unknown !== undefined) {
    throw queryError(expression, unknown.problem, expression.indexOf(unknown.name));
  }
  return (data) => {
    try {
      return boundedSearch(jmespath, tree, data);
    } catch (thrown) {
      if (isCallError(thrown)) throw thrown;
      const message = thrownMessage(thrown);
      throw queryError(expression, message, positionOfFunction(expression, message));
    }
  };
}

/** Runs a JMESPath expression over some data; `null` if nothing matches. */
export async function queryData(data: unknown, expression: string): Promise<unknown> {
  const query = await compileQuery(expression);
  return query(data);
}
