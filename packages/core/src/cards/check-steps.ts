import { thrownMessage } from "../envelope/index.ts";
import type { Card, CardStep } from "./card.ts";
import { inputNames, withNearest } from "./check-names.ts";
import type { Finding } from "./finding.ts";
import { readUses } from "./mapping/index.ts";
import type { PreparedSteps } from "./prepared.ts";
import { orderSteps, plainPath, prepareInput, readExpression, stepsNeeded } from "./steps/index.ts";
import type { NamedStep, StepExpression } from "./steps/index.ts";

/** Members that belong to routes or to a single step, not to a card with steps. */
export const ROUTE_MEMBERS = [
  "routing",
  "graphql",
  "rest",
  "cli",
  "lookup",
  "include",
  "verify",
  "scopes",
  "idempotency_header",
] as const;

interface ReadStep {
  readonly id: string;
  readonly expressions: readonly {
    readonly pointer: string;
    readonly expression: StepExpression;
  }[];
}

/** The names that expressions may start with, and the input names that may follow `params`. */
interface Names {
  readonly roots: readonly string[];
  readonly inputs: readonly string[] | undefined;
}

function pathFindings(keys: readonly unknown[], pointer: string, names: Names): Finding[] {
  const [root, name] = keys.map(String);
  if (root === undefined) return [];
  if (!names.roots.includes(root)) {
    const message = withNearest(`there is no step "${root}"`, root, names.roots);
    return [{ pointer, message }];
  }
  if (root !== "params" || name === undefined || names.inputs?.includes(name) !== false) return [];
  return [{ pointer, message: withNearest(`there is no input "${name}"`, name, names.inputs) }];
}

/** Reads a step as the chain does. Returns the problem if that fails. */
async function readStep(
  step: NamedStep,
  written: CardStep | undefined,
  pointer: string,
): Promise<ReadStep | Finding> {
  const input = `${pointer}/${written?.params === undefined ? "input" : "params"}`;
  let at = input;
  try {
    const { references } = await prepareInput(step.input);
    const expressions = references.map(({ path, expression }) => ({
      pointer: `${input}${path}`,
      expression,
    }));
    at = `${pointer}/when`;
    if (step.when === undefined) return { id: step.id, expressions };
    const expression = await readExpression(step.when);
    return { id: step.id, expressions: [...expressions, { pointer: at, expression }] };
  } catch (thrown) {
    return { pointer: at, message: thrownMessage(thrown) };
  }
}

function isRead(read: ReadStep | Finding): read is ReadStep {
  return "id" in read;
}

function referenceFindings({ expressions }: ReadStep, names: Names): Finding[] {
  return expressions.flatMap(({ pointer, expression }) => {
    const path = plainPath(expression);
    const roots = path === undefined ? stepsNeeded(expression, []).map((root) => [root]) : [path];
    return roots.flatMap((keys) => pathFindings(keys, pointer, names));
  });
}

function circleFindings(steps: readonly ReadStep[]): Finding[] {
  const ids = steps.map(({ id }) => id);
  const ordered = steps.map(({ id, expressions }) => ({
    id,
    isWrite: false,
    source: id,
    needs: expressions.flatMap(({ expression }) => stepsNeeded(expression, ids)),
  }));
  try {
    orderSteps(ordered);
    return [];
  } catch (thrown) {
    return [{ pointer: "/steps", message: thrownMessage(thrown) }];
  }
}

/**
 * Finds members that are not allowed in a card with steps. With `steps_when`, the card may also
 * have routes.
 */
function strayFindings(card: Card): Finding[] {
  if (card.steps_when !== undefined) return [];
  return ROUTE_MEMBERS.filter((name) => card[name] !== undefined).map((name) => ({
    pointer: `/${name}`,
    message: `cannot be combined with "steps"; if the card has routes for some inputs and steps for others, add "steps_when"`,
  }));
}

export function taskFinding(
  card: Card,
  task: string,
  pointer: string,
  tasks: ReadonlySet<string> | undefined,
): Finding[] {
  const isItself = task === card.capability_id;
  if (isItself && card.steps_when !== undefined) return [];
  if (isItself) return [{ pointer, message: "is this card itself; call another capability" }];
  if (tasks === undefined || tasks.has(task)) return [];
  return [{ pointer, message: withNearest(`there is no ${task}`, task, tasks) }];
}

/** Finds errors in a card's steps that can be found without the called capabilities. */
export async function stepFindings(
  card: Card,
  steps: PreparedSteps | undefined,
  tasks: ReadonlySet<string> | undefined,
): Promise<Finding[]> {
  if (steps === undefined) {
    const isStray = card.output !== undefined;
    return isStray
      ? [{ pointer: "/output", message: `is allowed only in a card with "steps"` }]
      : [];
  }
  const names: Names = {
    roots: ["params", ...steps.calls.map(({ id }) => id)],
    inputs: inputNames(card),
  };
  const read = await Promise.all(
    steps.calls.map((step, index) => readStep(step, card.steps?.[index], `/steps/${index}`)),
  );
  const good = read.filter(isRead);
  return [
    ...strayFindings(card),
    ...steps.calls.flatMap(({ task }, index) =>
      taskFinding(card, task, `/steps/${index}/task`, tasks),
    ),
    ...read.filter((one): one is Finding => !isRead(one)),
    ...good.flatMap((step) => referenceFindings(step, names)),
    ...circleFindings(good),
    ...readUses(steps.when ?? [], true).flatMap(({ keys }) =>
      pathFindings(["params", ...keys], "/steps_when", names),
    ),
    ...readUses(steps.output, true).flatMap(({ keys }) => pathFindings(keys, "/output", names)),
  ];
}
