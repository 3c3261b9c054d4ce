import type { JsonSchema } from "../envelope/index.ts";
import { describeInputs } from "./describe.ts";
import type { DescribeOptions, DescribedInputs } from "./describe.ts";

/** The longest line of inputs. A search shows five of them. */
const MAX_LINE = 400;
/** Shorter and shorter forms, for inputs that do not fit otherwise. */
const SHORTER: readonly DescribeOptions[] = [
  { requiredOnly: true, maxValues: 6 },
  { depth: 0, maxValues: 6 },
];
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

function inputName(word: string): string {
  return /^[^:=]+/.exec(word)?.[0] ?? word;
}

/** The required inputs in the longest form that fits, or only their names. */
function requiredWords(forms: readonly DescribedInputs[]): string[] {
  const all = forms.map(({ required }) => inputWords({ required, optional: [] }));
  const fitting = all.find((words) => inBrackets([...words, MORE]).length <= MAX_LINE);
  return fitting ?? all.at(-1)!.map(inputName);
}

/** All required inputs, and as many of the optional ones as fit. */
function cutLine(forms: readonly DescribedInputs[]): string {
  const words = requiredWords(forms);
  for (const word of inputWords({ required: [], optional: forms.at(-1)!.optional })) {
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
  const forms = SHORTER.map((options) => describeInputs(schema, options));
  const lines = forms.map((form) => inBrackets(inputWords(form)));
  return lines.find(({ length }) => length <= MAX_LINE) ?? cutLine(forms);
}
