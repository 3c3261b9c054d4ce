import { fail } from "../../envelope/index.ts";
import { EFFECTS } from "../../operation/index.ts";
import type { Identity, OperationSpec } from "../../operation/index.ts";
import { assertAllowed } from "../../policy/index.ts";
import { assertAccess } from "../../registry/index.ts";
import type { Catalogue } from "../../registry/index.ts";
import { knownRun } from "../../router/index.ts";
import type { SteppedOperation } from "../../router/index.ts";
import { nearestNames } from "../../schema/index.ts";
import type { Settings } from "../settings.ts";

const MAX_DEPTH = 8;
const MAX_CALLS = 1_000;

function refuse(message: string): Error {
  return fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}

/** Policy and approvals go by the effect that the whole declares, so no part may have a greater one. */
function assertEffect(part: OperationSpec, whole: OperationSpec): void {
  if (EFFECTS.indexOf(part.effect) <= EFFECTS.indexOf(whole.effect)) return;
  const message = `${whole.id} says it is a ${whole.effect}, but its step ${part.id} is ${part.effect}`;
  throw fail("POLICY", message, { outcome: "not_applied" });
}

/** The steps of a task, if it is made of some, be it for some inputs only. */
export function stepsOf(registry: Catalogue, task: string): SteppedOperation | undefined {
  const run = registry.getRun(task);
  const known = run && knownRun(run);
  if (known?.kind === "routed") return known.steps;
  return known?.kind === "steps" ? known : undefined;
}

function isOfRoutes(registry: Catalogue, task: string): boolean {
  const run = registry.getRun(task);
  return run?.kind === "routed";
}

/** Follows the steps of a card, and those of the cards they call. */
class StepsWalk {
  readonly #settings: Settings;
  readonly #identity: Identity | undefined;
  #callsLeft = MAX_CALLS;

  constructor(settings: Settings, identity: Identity | undefined) {
    this.#settings = settings;
    this.#identity = identity;
  }

  follow(stepped: SteppedOperation, path: readonly string[]): void {
    const { id } = stepped.spec;
    const way = [...path, id];
    if (path.includes(id)) throw refuse(`${way.join(" → ")} goes round in a circle`);
    if (way.length > MAX_DEPTH) throw refuse(`${way.join(" → ")} is more than ${MAX_DEPTH} deep`);
    this.#callsLeft -= stepped.steps.length;
    if (this.#callsLeft < 0) throw refuse(`${way[0]} makes more than ${MAX_CALLS} calls`);
    for (const { task } of stepped.steps) this.#followTask(stepped.spec, task, way);
  }

  #followTask(whole: OperationSpec, task: string, way: readonly string[]): void {
    const { registry } = this.#settings;
    const part = registry.getSpec(task);
    if (part === undefined) throw this.#unknown(whole, task);
    assertEffect(part, whole);
    this.#assertAllowed(part);
    // A step that calls the operation itself is done by its routes.
    if (task === whole.id && isOfRoutes(registry, task)) return;
    const inner = stepsOf(registry, task);
    if (inner !== undefined) this.follow(inner, way);
  }

  #assertAllowed(part: OperationSpec): void {
    assertAllowed(this.#settings.policy, part);
    if (this.#identity !== undefined) assertAccess(part, { identity: this.#identity });
  }

  #unknown(whole: OperationSpec, task: string): Error {
    const known = this.#settings.registry.list().map(({ id }) => id);
    const near = nearestNames(task, known, 3);
    return fail("NOT_FOUND", `${whole.id} has a step that calls ${task}, which is not here`, {
      outcome: "not_applied",
      ...(near.length > 0 && { did_you_mean: near }),
    });
  }
}

/** Throws when the steps, at whatever depth, cannot be called, before the first of them is. */
export function assertSteps(
  settings: Settings,
  stepped: SteppedOperation,
  identity: Identity | undefined,
): void {
  new StepsWalk(settings, identity).follow(stepped, []);
}
