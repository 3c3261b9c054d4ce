import { describe, expect, it } from "vitest";
import { CardSchema, checkCard, formatProblem } from "./index.ts";
import type { CardSurroundings } from "./index.ts";
import { loadChecker } from "../schema/index.ts";

function good(): Record<string, unknown> {
  return {
    capability_id: "bug.report",
    version: "1.0.0",
    description: "Open an issue and comment on it",
    effect: "write",
    input_schema: {
      type: "object",
      required: ["title"],
      properties: { title: { type: "string" }, body: { type: "string" } },
    },
    output_schema: { type: "object" },
    steps: [
      { id: "made", task: "issue.create", input: { title: { $from: "params.title" } } },
      {
        task: "issue.comment",
        when: "params.body",
        input: { number: { $from: "made.data.number" }, body: { $text: "{{params.body}}!" } },
      },
    ],
    output: { number: "made.data.number", size: "length(s1.data.body)", title: "params.title" },
  };
}

const place = { file: "bug.yaml", locate: (): number => 4 };

async function complaints(change: object, around: CardSurroundings = {}): Promise<string[]> {
  const card: unknown = JSON.parse(JSON.stringify({ ...good(), ...change }));
  const { problems } = await checkCard(card, place, around);
  return problems.map(formatProblem);
}

const step = (input: unknown, more: object = {}): object => ({
  steps: [{ id: "made", task: "issue.create", input, ...more }],
  output: "made.data",
});

describe("checkCard on a card of steps", () => {
  it("checkCard accepts a card of steps that has no route", async () => {
    expect(await complaints({})).toEqual([]);
    expect((await loadChecker()).compile(CardSchema).check(good())).toBe(true);
    const tasks = new Set(["issue.create", "issue.comment"]);
    expect(await complaints({}, { tasks })).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      "no output",
      { output: undefined },
      "must have properties output when property steps is present",
    ],
    ["no steps", { steps: [] }, "bug.yaml:4 steps: must"],
    ["neither routes nor steps", { steps: undefined, output: undefined }, "routing: is required"],
    [
      "an output without steps",
      {
        steps: undefined,
        routing: { preferred: "rest", fallbacks: [] },
        rest: { method: "GET", path: "/x", output: {} },
      },
      'output: is allowed only in a card with "steps"',
    ],
    ["101 steps", { steps: Array.from({ length: 101 }, () => ({ task: "a.b" })) }, "steps: must"],
    [
      "both routes and steps",
      { routing: { preferred: "rest", fallbacks: [] } },
      'cannot be combined with "steps"',
    ],
    [
      "both a lookup and steps",
      { lookup: { a: { path: "/x", value: "y" } } },
      "lookup: cannot be combined with",
    ],
    ["a step without a task", { steps: [{ id: "made" }] }, "steps.0.task"],
    ["an unknown member", { steps: [{ task: "a.b", inputs: {} }] }, 'did you mean "input"?'],
    [
      "two steps with the same id",
      {
        steps: [
          { id: "made", task: "a.b" },
          { id: "made", task: "a.b" },
        ],
      },
      "steps: Two steps have the id made. Give each step its own id",
    ],
    [
      "a step named params",
      step({}, { id: "params" }),
      "The step id params is reserved here. Choose another id",
    ],
    [
      "a step that calls the card itself",
      step({}, { task: "bug.report" }),
      "steps.0.task: is this card itself; call another capability",
    ],
    [
      "a reference to an unknown step",
      step({ title: { $from: "mad.data.x" } }),
      'steps.0.input.title: there is no step "mad"; did you mean "made"?',
    ],
    [
      "a reference to an unknown input",
      step({ title: { $text: "a {{params.titel}}" } }),
      'steps.0.input.title: there is no input "titel"; did you mean "title"?',
    ],
    [
      "an expression that does not parse",
      step({ title: { $from: "params.[" } }),
      'steps.0.input: The expression "params.[" is invalid',
    ],
    [
      "a condition that does not parse",
      step({}, { when: "params ==" }),
      "steps.0.when: The expression",
    ],
    [
      "mixed reference keywords",
      step({ title: { $from: "params.title", x: 1 } }),
      "mixes $from with x",
    ],
    [
      "a step that depends on itself",
      step({ title: { $from: "made.data.title" } }),
      "steps: Step made depends on itself",
    ],
    [
      "steps that depend on each other",
      {
        steps: [
          { id: "made", task: "a.b", input: { x: { $from: "other.data" } } },
          { id: "other", task: "a.b", when: "made.ok" },
        ],
        output: "made",
      },
      "depends on itself",
    ],
    [
      "an output that uses an unknown step",
      { output: "mde.data" },
      'output: there is no step "mde"',
    ],
    [
      "an output that does not parse",
      { output: { a: "x[" } },
      'output.a: "x[" is not a valid expression',
    ],
  ])("checkCard reports a card with %s", async (_what, change, message) => {
    expect((await complaints(change)).join("\n")).toContain(message);
  });

  it("checkCard reports a step with an unknown task if it gets the list of known tasks", async () => {
    const tasks = new Set(["issue.create", "issue.coment"]);
    expect(await complaints({}, { tasks })).toEqual([
      'bug.yaml:4 steps.1.task: there is no issue.comment; did you mean "issue.coment"?',
    ]);
  });

  it("checkCard does not check a reference inside $literal", async () => {
    expect(await complaints(step({ title: { $literal: { $from: "no.such" } } }))).toEqual([]);
  });
});
