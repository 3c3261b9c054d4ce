import { isRecord } from "@waybill/core/schema";
import { asArray, textOr } from "../document/raw.ts";
import { resolve } from "../document/references.ts";
import { signInWays } from "./sign-in-ways.ts";
import type { SignInWays } from "./sign-in-ways.ts";
import type { Specification } from "../document/specification.ts";
import { upgradedScheme } from "../document/swagger2.ts";

/** How a credential is sent. */
export type SecurityScheme =
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  | { readonly kind: "http"; readonly scheme: string }
  /** The connection itself sends the credential, or the kind of the scheme is not known. */
  | { readonly kind: "none" };

/** One scheme that a call needs, with the required scopes. */
export interface Requirement {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/**
 * Alternatives: a call needs one of these lists, with all requirements in it. An empty list
 * needs nothing.
 */
export type Alternatives = readonly (readonly Requirement[])[];

const KEY_PLACES = ["header", "query", "cookie"];

function getScheme(raw: unknown): SecurityScheme {
  if (!isRecord(raw)) return { kind: "none" };
  const { type, in: place, name, scheme } = upgradedScheme(raw);
  if (type === "apiKey" && typeof name === "string" && KEY_PLACES.includes(String(place))) {
    return { kind: "apiKey", in: place as "header", name };
  }
  if (type === "http") return { kind: "http", scheme: textOr(scheme, "bearer").toLowerCase() };
  return type === "oauth2" || type === "openIdConnect"
    ? { kind: "http", scheme: "bearer" }
    : { kind: "none" };
}

function schemesKeys({ isSwagger }: Specification): readonly string[] {
  return isSwagger ? ["securityDefinitions"] : ["components", "securitySchemes"];
}

/**
 * The scheme with this name. Its kind is `none` if the description does not define it; then
 * nothing is required.
 */
function securityScheme(specification: Specification, name: string): SecurityScheme {
  const { document } = specification;
  const raw = document.at([...schemesKeys(specification), name]);
  try {
    return getScheme(resolve(document, raw));
  } catch {
    return { kind: "none" };
  }
}

function getAlternative(specification: Specification, raw: Record<string, unknown>): Requirement[] {
  return Object.entries(raw).map(([name, scopes]) => ({
    name,
    scheme: securityScheme(specification, name),
    scopes: asArray(scopes).map((scope) => textOr(scope, "")),
  }));
}

/** The security requirements of an operation: its own list, or that of the whole description. */
export function alternatives(specification: Specification, own: unknown): Alternatives {
  const raw = own ?? specification.document.at(["security"]);
  const list = asArray(raw).filter(isRecord);
  return list.map((item) => getAlternative(specification, item));
}

/** A scheme of a description, and the number of operations that need only this scheme. */
export interface SchemeUse {
  /** How to get a token. Present only for OAuth and OpenID Connect. */
  readonly ways?: SignInWays;
  readonly name: string;
  /**
   * How the credential is sent, such as `bearer` or `the header X-Key`. Schemes that are sent
   * the same way share a credential.
   */
  readonly way: string;
  readonly operations: number;
}

export function getWay(scheme: SecurityScheme): string {
  if (scheme.kind === "apiKey") return `the ${scheme.in} ${scheme.name}`;
  return scheme.kind === "http" ? scheme.scheme : "";
}

/** How to sign in for a scheme. The URLs may be relative to the API. */
export function readSignInWays(
  specification: Specification,
  name: string,
  server: string | undefined,
): SignInWays | undefined {
  const { document, baseUrl } = specification;
  try {
    const raw = resolve(document, document.at([...schemesKeys(specification), name]));
    return isRecord(raw) ? signInWays(raw, server ?? baseUrl) : undefined;
  } catch {
    return undefined;
  }
}

/** The schemes that operations need. The scheme that is enough for most operations comes first. */
export function schemeUses(needs: Iterable<Alternatives>): SchemeUse[] {
  const uses = new Map<string, { name: string; way: string; operations: number }>();
  for (const alternative of Array.from(needs).flat()) {
    const sent = alternative.filter(({ scheme }) => scheme.kind !== "none");
    for (const { name, scheme } of sent) {
      const use = uses.get(name) ?? { name, way: getWay(scheme), operations: 0 };
      uses.set(name, { ...use, operations: use.operations + (sent.length === 1 ? 1 : 0) });
    }
  }
  return [...uses.values()].toSorted((first, second) => second.operations - first.operations);
}
