import type { Json, Params, Step, ToolUse } from "../types.ts";

/** Members and the value of each at every repetition, side by side. */
type Each = Readonly<Record<string, readonly Json[]>>;

function getRepetitions(each: Each): Params[] {
  const length = Math.max(...Object.values(each).map((values) => values.length));
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(Object.entries(each).map(([name, values]) => [name, values[index] ?? null])),
  );
}

/** Puts the values of a row in the place of `$name`, in a string or in the strings of a value. */
function putValues<Value extends Json | undefined>(value: Value, row: Params): Value {
  const text = JSON.stringify(value);
  if (text === undefined) return value;
  const put = text.replaceAll(/\$(\w+)/gu, (whole, name: string) =>
    name in row ? JSON.stringify(row[name]).replaceAll(/^"|"$/gu, "") : whole,
  );
  return JSON.parse(put) as Value;
}

/** A step with `each` as as many steps, which are sent together. */
export function repeatStep({ each, ...step }: Step & { each?: Each | undefined }): Step[] {
  if (each === undefined) return [step];
  return getRepetitions(each).map((row) => ({
    ...step,
    params: { ...step.params, ...row },
    many: true as const,
  }));
}

/** A call of GitHub's MCP server with `each` as as many calls. */
export function repeatUse({ each, ...use }: ToolUse & { each?: Each | undefined }): ToolUse[] {
  if (each === undefined) return [use];
  return getRepetitions(each).map((row) => ({
    ...use,
    args: { ...use.args, ...row },
    rest: putValues(use.rest, row),
    body: putValues(use.body, row),
  }));
}

/** Steps by what is sent together: the repetitions of one step, every other step by itself. */
export function splitParts(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    const before = last?.at(-1);
    const isNext = step.many === true && before?.many === true;
    if (isNext && before.capability === step.capability) last?.push(step);
    else parts.push([step]);
  }
  return parts;
}
