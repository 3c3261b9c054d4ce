import { errorFromUnknown } from "../envelope/index.ts";
import type { PreflightCode, Route } from "../envelope/index.ts";
import type { Identity, OperationSpec } from "../operation/index.ts";
import type { Entry } from "../registry/index.ts";
import { knownRun } from "../router/index.ts";
import type { RouteChoice, RoutedOperation } from "../router/index.ts";

/** Whether a route can be used now. */
export interface RouteState {
  /** The route. */
  readonly route: Route;
  /** Whether the route is ready. `unknown` if that depends on the input. */
  readonly state: "ready" | "unavailable" | "unknown";
  /** Why the route cannot be used. Absent if it can be used. */
  readonly reason?: PreflightCode;
  /** The next step that would make the route usable. Absent if it can be used. */
  readonly hint?: string;
}

/** A capability with the state of its routes on this machine. */
export interface CapabilityState {
  /** The operation as it was registered. */
  readonly spec: OperationSpec;
  /** The routes, with the preferred route first. */
  readonly routes: readonly RouteState[];
}

/**
 * Checks without a call whether a route can be used. A result that depends on the input is
 * `unknown`.
 */
async function routeState({ route, preflight }: RouteChoice): Promise<RouteState> {
  const skip = await preflight();
  if (skip === undefined) return { route, state: "ready" };
  const { code: reason, hint } = skip;
  if (reason === "LIMIT_EXCEEDED") return { route, state: "unknown" };
  return { route, state: "unavailable", reason, ...(hint !== undefined && { hint }) };
}

function routedRun({ run }: Entry): RoutedOperation | undefined {
  const known = run && knownRun(run);
  return known?.kind === "routed" ? known : undefined;
}

/** The routes of an operation, with the preferred route first. Undefined for a local function. */
export function findRoutes(entry: Entry): readonly Route[] | undefined {
  return routedRun(entry)?.routes;
}

/** The accounts that a caller of an operation can choose from; none if there is no choice. */
export async function findAccounts(
  entry: Entry,
  identity: Identity | undefined,
): Promise<{ accounts?: readonly string[] }> {
  const accounts = (await routedRun(entry)?.accounts?.list(identity)) ?? [];
  return accounts.length > 1 ? { accounts } : {};
}

/**
 * The states of an operation's routes, in order. An operation without routes runs locally and is
 * ready.
 */
export async function routeStates(entry: Entry): Promise<RouteState[]> {
  const routed = routedRun(entry);
  if (routed === undefined) return [{ route: "local", state: "ready" }];
  try {
    const states = await Promise.all((await routed.choices({ params: {} })).map(routeState));
    return routed.routes.flatMap((route) => states.find((state) => state.route === route) ?? []);
  } catch (thrown) {
    const { message: hint } = errorFromUnknown(thrown);
    return routed.routes.map((route) => ({ route, state: "unknown", hint }));
  }
}
