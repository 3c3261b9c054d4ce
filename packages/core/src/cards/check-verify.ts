import { nearestNames } from "../schema/index.ts";
import type { Effect } from "../operation/index.ts";
import type { Card, CardVerify } from "./card.ts";
import type { Finding } from "./finding.ts";

const APIS = ["graphql", "rest"] as const;

function hasOwnReads({ graphql, rest }: CardVerify): boolean {
  return graphql !== undefined || rest !== undefined;
}

function capabilityFindings(
  { capability, params, ...verify }: CardVerify,
  known: ReadonlySet<string> | undefined,
): Finding[] {
  if (capability === undefined) {
    const message = `needs a read: "graphql", "rest" or "capability"`;
    return hasOwnReads(verify) ? [] : [{ pointer: "/verify", message }];
  }
  if (params === undefined) return [{ pointer: "/verify", message: `a capability needs "params"` }];
  if (known === undefined || known.has(capability)) return [];
  const [near] = nearestNames(capability, known, 1);
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  return [{ pointer: "/verify/capability", message: `there is no ${capability}${hint}` }];
}

/** A missing object proves that it is gone only if its container can be read. */
function goneFindings(verify: CardVerify): Finding[] {
  const own = APIS.filter((api) => verify[api] !== undefined);
  if (own.length === 0) {
    return [
      {
        pointer: "/verify",
        message: `"gone" needs its own request: add "rest" or "graphql" to "verify"`,
      },
    ];
  }
  return own
    .filter((api) => verify[api]!.container === undefined)
    .map((api) => ({
      pointer: `/verify/${api}`,
      message: `"gone" needs a "container" to read, such as the repository: if that cannot be read, an object that exists seems to be missing`,
    }));
}

function kindFindings(verify: CardVerify): Finding[] {
  const { kind = "created", same, before } = verify;
  if (kind === "gone") return goneFindings(verify);
  if (same === undefined)
    return [
      {
        pointer: "/verify",
        message: `"${kind}" needs "same": the fields to compare, with their values`,
      },
    ];
  if (kind === "state" || !hasOwnReads(verify)) return [];
  if (before !== undefined) return [];
  const message = `"created" also needs "before", the field that shows which objects are new`;
  return [{ pointer: "/verify", message }];
}

/** Finds names in `verify` that do not exist, and missing members. */
export function verifyNameFindings(
  { effect, verify }: Card,
  capabilities: ReadonlySet<string> | undefined,
): Finding[] {
  if (verify === undefined) return [];
  if (effect === "read")
    return [{ pointer: "/verify", message: "is for writes only; remove it from this read" }];
  if (verify.unsettled !== undefined) return [];
  return [...capabilityFindings(verify, capabilities), ...kindFindings(verify)];
}

/**
 * `verify` runs after every attempt with an unknown outcome, so it must only read. A list also
 * shows older objects with the same content, so a field must distinguish the new one.
 */
export function verifyEffectFindings(
  { effect, idempotent, verify }: Card,
  effects: ReadonlyMap<string, Effect> | undefined,
  lists: ReadonlySet<string> | undefined,
): Finding[] {
  const { capability } = verify ?? {};
  if (verify === undefined || capability === undefined || effect === "read") return [];
  const probed = effects?.get(capability) ?? "read";
  if (probed !== "read") {
    const message = `${capability} is a ${probed}; only a read can show whether the write was applied`;
    return [{ pointer: "/verify/capability", message }];
  }
  const isDated = verify.created !== undefined || verify.before !== undefined;
  const isList = lists?.has(capability) === true;
  if (idempotent === true || hasOwnReads(verify) || isDated || !isList) return [];
  const message = `${capability} is a list; add "created" or "before" to show which of its items are new`;
  return [{ pointer: "/verify", message }];
}
