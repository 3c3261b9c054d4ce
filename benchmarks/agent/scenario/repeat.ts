import type { Json, Params, Step, ToolUse } from "../types.ts";

/** Members with a list of values, one value for each repetition. */
type Each = Readonly<Record<string, readonly Json[]>>;

function getRepetitions(each: Each): Params[] {
  const length = Math.max(...Object.values(each).map((values) => values.length));
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(Object.entries(each).map(([name, values]) => [name, values[index] ?? null])),
  );
}

/** Replaces `$name` by the values of a row, in a string or in all strings of a value. */
function putValues<Value extends Json | undefined>(value: Value, row: Params): Value {
  const text = JSON.stringify(value);
  if (text === undefined) return value;
  const put = text.replaceAll(/\$(\w+)/gu, (whole, name: string) =>
    name in row ? JSON.stringify(row[name]).replaceAll(/^"|"$/gu, "") : whole,
  );
  return JSON.parse(put) as Value;
}

/** Turns a step with `each` into several steps, which are sent together. */
export function repeatStep({ each, ...step }: Step & { each?: Each | undefined }): Step[] {
  if (each === undefined) return [step];
  return getRepetitions(each).map((row) => ({
    ...step,
    params: { ...step.params, ...row },
    many: true as const,
  }));
}

/** Turns a call of GitHub's MCP server with `each` into several calls. */
export function repeatUse({ each, ...use }: ToolUse & { each?: Each | undefined }): ToolUse[] {
  if (each === undefined) return [use];
  return getRepetitions(each).map((row) => ({
    ...use,
    args: { ...use.args, ...row },
    rest: putValues(use.rest, row),
    body: putValues(use.body, row),
  }));
}

/**
 * Groups steps that are sent together: the repetitions of one step. Every other step is its own
 * group.
 */
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
