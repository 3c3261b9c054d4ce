import { cardSpec } from "../cards/index.ts";
import type {
  CardFunctions,
  CardRequest,
  CardRouteName,
  CardScope,
  PreparedCard,
} from "../cards/index.ts";
import { fail } from "../envelope/index.ts";
import type { CallError, Route } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { ProgramRunner } from "./program.ts";
import type { RoutedRequest } from "./routed-operation.ts";
import type { CardRoute, EnvironmentInfo, FactName, FactSource, ViewerProbe } from "./route.ts";

/** An object that does not exist. */
interface MissingThing {
  /** The name of the object, such as `Repository octo/nope`. */
  readonly name: string;
  /** Details that are added to the error. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The parts that are needed to run the cards of one source. */
export interface CardKit {
  /** The routes that can send the requests of cards. */
  readonly routes: readonly CardRoute[];
  /** Provides the facts that decide whether a route can be used (default: nothing is known). */
  readonly facts?: FactSource;
  /** The upstream's name, for keys and messages (default: empty). */
  readonly host?: string;
  /** Functions that mappings may call (default: none). */
  readonly functions?: CardFunctions;
  /**
   * Corrects inputs that callers often write differently. Applies to every card of the source
   * (default: none).
   */
  readonly normaliseInput?: (
    params: Readonly<Record<string, unknown>>,
    spec: OperationSpec,
  ) => Readonly<Record<string, unknown>>;
  /**
   * The inputs that `normaliseInput` may find in the text of other inputs (default: any of
   * them).
   */
  readonly inputsInText?: readonly string[];
  /**
   * The capability, and its output field, that tell who the caller is. This is the `viewer` of a
   * card's `verify` (default: none).
   */
  readonly viewer?: ViewerProbe;
  /**
   * Names the object that a call did not find, such as `Repository octo/nope` (default: not named).
   */
  readonly missing?: (
    capability: string,
    params: Readonly<Record<string, unknown>>,
    error: CallError,
  ) => MissingThing | undefined;
  /**
   * Lists the other meanings that the input of a read may have. They are tried if the object is
   * not found: `feature/x` in a URL may be a branch, or a branch and a folder (default: none).
   */
  readonly otherReadings?: (
    params: Readonly<Record<string, unknown>>,
    spec: OperationSpec,
  ) => readonly Readonly<Record<string, unknown>>[];
  /** Runs the programs of its cards (default: they cannot be run). */
  readonly programs?: ProgramRunner;
  /** The value of `env` in expressions (default: empty). */
  readonly env?: () => Readonly<Record<string, unknown>>;
}

export function specFor(
  card: PreparedCard,
  { normaliseInput, inputsInText }: CardKit,
): OperationSpec {
  const spec = cardSpec(card);
  if (normaliseInput === undefined) return spec;
  return { ...spec, normaliseInput: (params) => normaliseInput(params, spec), inputsInText };
}

/** The values of a call that the mappings of a card can use. */
export function scopeFor({ env, functions }: CardKit, request: RoutedRequest): CardScope {
  return {
    params: request.params,
    ...(env !== undefined && { env: env() }),
    ...(functions !== undefined && { functions }),
    ...(request.include !== undefined && { include: request.include }),
  };
}

export function factsFor(
  { facts }: CardKit,
  names: readonly FactName[],
): EnvironmentInfo | Promise<EnvironmentInfo> {
  return names.length === 0 || facts === undefined ? {} : facts.facts(names);
}

export function routeNamed({ routes }: CardKit, name: Route): CardRoute | undefined {
  return routes.find((known) => known.route === name);
}

/**
 * Returns the route that sends a request. The GitHub CLI can send requests of any route; the others
 * send only their own kind.
 */
export function senderFor(
  kit: CardKit,
  { id }: PreparedCard,
  route: CardRouteName,
  request: CardRequest,
): CardRoute {
  const name = route === "cli" || request.kind === "command" ? route : request.kind;
  const sender = routeNamed(kit, name);
  if (sender !== undefined) return sender;
  const message = `${id} needs the ${name} route, which is not configured. Configure it for the source of the card`;
  throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}
