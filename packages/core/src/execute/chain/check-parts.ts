import { fail } from "../../envelope/index.ts";
import { EFFECTS } from "../../operation/index.ts";
import type { Identity, OperationSpec } from "../../operation/index.ts";
import { assertAllowed } from "../../policy/index.ts";
import { assertAccess } from "../../registry/index.ts";
import type { Catalogue } from "../../registry/index.ts";
import { knownRun } from "../../router/index.ts";
import type { CodeOperation, SteppedOperation } from "../../router/index.ts";
import { nearestNames } from "../../schema/index.ts";
import type { Settings } from "../settings.ts";

const MAX_DEPTH = 8;
const MAX_CALLS = 1_000;

/** An operation that calls others, in steps or in a program. */
type Whole = SteppedOperation | CodeOperation;

function invalidPart(message: string): Error {
  return fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}

/**
 * The ids that an operation calls. A program may also use alias ids, and camelCase instead of
 * hyphens.
 */
export function listParts(registry: Catalogue, whole: Whole): readonly string[] {
  if (whole.kind === "steps") return whole.steps.map(({ task }) => task);
  return whole.calls.map((name) => registry.findWritten(name)?.spec.id ?? name);
}

/** The operation with this id, if it runs steps or a program, even if only for some inputs. */
function findWhole(registry: Catalogue, id: string): Whole | undefined {
  const run = registry.getRun(id);
  const known = run && knownRun(run);
  if (known?.kind === "routed") return known.steps;
  return known?.kind === "steps" || known?.kind === "code" ? known : undefined;
}

/**
 * Policy and approvals use the effect that the outer operation declares, so none of the
 * operations that it calls may have a greater effect.
 */
function assertEffect(part: OperationSpec, { kind, spec: whole }: Whole): void {
  if (EFFECTS.indexOf(part.effect) <= EFFECTS.indexOf(whole.effect)) return;
  const what =
    kind === "code"
      ? `its program calls ${part.id}, whose effect is ${part.effect}`
      : `its step ${part.id} has the effect ${part.effect}`;
  const message = `${whole.id} is declared as a ${whole.effect}, but ${what}`;
  const hint = `Declare ${whole.id} with the effect ${part.effect}`;
  throw fail("POLICY", message, { outcome: "not_applied", hint });
}

/** Checks the operations that an operation calls, and those that they call. */
class PartsWalk {
  readonly #settings: Settings;
  readonly #identity: Identity | undefined;
  #callsLeft = MAX_CALLS;

  constructor(settings: Settings, identity: Identity | undefined) {
    this.#settings = settings;
    this.#identity = identity;
  }

  follow(whole: Whole, path: readonly string[]): void {
    const { id } = whole.spec;
    const way = [...path, id];
    if (path.includes(id))
      throw invalidPart(`${way.join(" → ")} is a cycle. Remove one of these calls`);
    if (way.length > MAX_DEPTH)
      throw invalidPart(
        `${way.join(" → ")} is nested more than ${MAX_DEPTH} levels deep. Call one of these operations directly`,
      );
    const parts = listParts(this.#settings.registry, whole);
    this.#callsLeft -= parts.length;
    if (this.#callsLeft < 0)
      throw invalidPart(`${way[0]} makes more than ${MAX_CALLS} calls. Remove some of them`);
    for (const part of parts) this.#followPart(whole, part, way);
  }

  #followPart(whole: Whole, id: string, way: readonly string[]): void {
    const { registry } = this.#settings;
    const part = registry.getSpec(id);
    if (part === undefined) throw this.#unknown(whole, id);
    assertEffect(part, whole);
    this.#assertAllowed(part);
    // A step that calls its own operation runs the routes, so it needs no check.
    if (id === whole.spec.id && registry.getRun(id)?.kind === "routed") return;
    const inner = findWhole(registry, id);
    if (inner !== undefined) this.follow(inner, way);
  }

  #assertAllowed(part: OperationSpec): void {
    assertAllowed(this.#settings.policy, part);
    if (this.#identity !== undefined) assertAccess(part, { identity: this.#identity });
  }

  #unknown({ kind, spec }: Whole, id: string): Error {
    const known = this.#settings.registry.list().map((each) => each.id);
    const near = nearestNames(id, known, 3);
    const part = kind === "code" ? "a program" : "a step";
    return fail("NOT_FOUND", `${spec.id} has ${part} that calls ${id}, which does not exist here`, {
      outcome: "not_applied",
      ...(near.length > 0
        ? { did_you_mean: near }
        : { hint: "Add the source of that operation, or correct the id" }),
    });
  }
}

/** Loads the operations that an operation calls, and those that they call. */
async function loadParts({ registry, toLoad }: Settings, whole: Whole): Promise<void> {
  const seen = new Set<string>();
  for (let open = [whole]; open.length > 0;) {
    await toLoad([...new Set(open.flatMap((each) => listParts(registry, each)))])?.();
    // An alias id is known only after its source is loaded.
    const ids = new Set(open.flatMap((each) => listParts(registry, each)));
    const others = [...ids].filter((id) => !seen.has(id));
    others.forEach((id) => seen.add(id));
    await toLoad(others)?.();
    open = others.flatMap((id) => findWhole(registry, id) ?? []);
  }
}

/**
 * Throws if an operation that this one calls, directly or indirectly, cannot be called. Runs
 * before the first call.
 */
export async function assertParts(
  settings: Settings,
  whole: Whole,
  identity: Identity | undefined,
): Promise<void> {
  await loadParts(settings, whole);
  new PartsWalk(settings, identity).follow(whole, []);
}
