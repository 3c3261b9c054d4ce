import type { JsonSchema } from "../envelope/index.ts";
import { describeInputs } from "./describe.ts";
import type { DescribedInputs } from "./describe.ts";

/** The longest line of inputs. A search shows five of them. */
const MAX_LINE = 400;
/** Without the members of objects, for inputs that do not fit otherwise. */
const SHORT = { depth: 0, maxValues: 6 } as const;
const MORE = "…";

/** Most inputs are strings, so the type is omitted for strings, to save tokens. */
function requiredInput(input: string): string {
  return input.replace(/:string(?==|$)/, "");
}

function optionalInput(input: string): string {
  return requiredInput(input).replace(/^[^:=]+/, "$&?");
}

/** The inputs as a signature lists them: `number:integer, include?`. */
export function inputWords({ required, optional }: DescribedInputs): string[] {
  return [...required.map(requiredInput), ...optional.map(optionalInput)];
}

function inBrackets(words: readonly string[]): string {
  return `(${words.join(", ")})`;
}

function nameIn(word: string): string {
  return /^[^:=]+/.exec(word)?.[0] ?? word;
}

/** All required inputs, and as many of the optional ones as fit. */
function cutLine(described: DescribedInputs): string {
  const required = inputWords({ required: described.required, optional: [] });
  const isLong = inBrackets(required).length > MAX_LINE;
  const words = isLong ? required.map(nameIn) : required;
  for (const word of inputWords({ required: [], optional: described.optional })) {
    if (inBrackets([...words, word, MORE]).length <= MAX_LINE) words.push(word);
  }
  return inBrackets([...words, MORE]);
}

/**
 * The inputs of an operation in a short line for lists: `(owner, number:integer, include?)`.
 * Everything that a call needs is named; `…` stands for optional inputs that were left out.
 */
export function inputsLine(schema: JsonSchema): string {
  const whole = inBrackets(inputWords(describeInputs(schema)));
  if (whole.length <= MAX_LINE) return whole;
  const described = describeInputs(schema, SHORT);
  const short = inBrackets(inputWords(described));
  return short.length <= MAX_LINE ? short : cutLine(described);
}
