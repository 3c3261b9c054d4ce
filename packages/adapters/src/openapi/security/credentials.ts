import { fail } from "@waybill/core";
import type { Skip } from "@waybill/core";
import { readToken } from "../../http/index.ts";
import type { TokenSource } from "../../http/index.ts";
import { TRANSPORT_HEADERS } from "../operation/parameters.ts";
import { getWay } from "./security.ts";
import type { Alternatives, Requirement, SecurityScheme } from "./security.ts";

/** A secret: its value, a function that returns it, or the environment variable that has it. */
export type Secret = TokenSource | { readonly env: string };

/** The value to send for a security scheme. */
export type Credential = Secret | { readonly username: Secret; readonly password: Secret };

/**
 * Secrets by the name of the security scheme. `*` is for a single scheme without its own secret.
 */
export type Credentials = Readonly<Record<string, Credential>>;

/** The headers, query and cookies that credentials add to a request. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  /** The credentials, as given and as sent. They must never appear in output. */
  readonly secrets: readonly string[];
}

const REDACTED = "[redacted]";

function hidden([name]: readonly [string, string]): readonly [string, string] {
  return [name, REDACTED];
}

/** The added headers, query and cookies without secrets, for showing a request. */
export function redacted({ headers, query, cookies }: Signature): Signature {
  return {
    headers: Object.fromEntries(Object.entries(headers).map(hidden)),
    query: query.map(hidden),
    cookies: cookies.map(hidden),
    secrets: [],
  };
}

const UNSIGNED: Signature = { headers: {}, query: [], cookies: [], secrets: [] };

type Refused = readonly string[] | undefined;

async function readSecret(secret: Secret, refused: Refused): Promise<string | undefined> {
  return readToken(typeof secret === "object" ? process.env[secret.env] : secret, refused);
}

async function readCredential(
  credential: Credential,
  refused: Refused,
): Promise<string | undefined> {
  if (typeof credential !== "object" || !("username" in credential)) {
    return readSecret(credential, refused);
  }
  const username = await readSecret(credential.username, refused);
  const password = await readSecret(credential.password, refused);
  return username === undefined ? undefined : `${username}:${password ?? ""}`;
}

/** A credential without a colon is a user name without a password. */
function basicPair(value: string): string {
  return value.includes(":") ? value : `${value}:`;
}

function authorization(scheme: string, value: string): string {
  if (scheme === "basic") return `Basic ${Buffer.from(basicPair(value)).toString("base64")}`;
  return `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} ${value}`;
}

/**
 * The strings that an upstream might return: the whole value, the user, the password and their
 * base64.
 */
function sentSecrets(scheme: SecurityScheme, value: string): string[] {
  if (scheme.kind !== "http" || scheme.scheme !== "basic") return [value];
  const pair = basicPair(value);
  const colon = pair.indexOf(":");
  const base64 = Buffer.from(pair).toString("base64");
  return [value, pair.slice(0, colon), pair.slice(colon + 1), base64];
}

function signed(signature: Signature, scheme: SecurityScheme, value: string): Signature {
  if (scheme.kind === "none") return signature;
  const { headers, query, cookies } = signature;
  const secrets = [...signature.secrets, ...sentSecrets(scheme, value)];
  if (scheme.kind === "http") {
    const header = authorization(scheme.scheme, value);
    return { ...signature, headers: { ...headers, authorization: header }, secrets };
  }
  const pair = [scheme.name, value] as const;
  if (scheme.in === "query") return { ...signature, query: [...query, pair], secrets };
  if (scheme.in === "cookie") return { ...signature, cookies: [...cookies, pair], secrets };
  return { ...signature, headers: { ...headers, [scheme.name.toLowerCase()]: value }, secrets };
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/u;

/**
 * Refuses a key in a header that the transport uses, because it would change the target or the
 * form of the request.
 */
function assertHeader({ name, scheme }: Requirement): void {
  if (scheme.kind !== "apiKey" || scheme.in !== "header") return;
  const header = scheme.name.toLowerCase();
  if (HEADER_NAME.test(header) && !TRANSPORT_HEADERS.has(header)) return;
  const shown = JSON.stringify(scheme.name.slice(0, 80));
  const message = `${name} needs a key in the header ${shown}, which Waybill cannot set. Correct the header name in the description`;
  throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}

/**
 * The credential of each scheme. The credential of `*` is used only if exactly one scheme has
 * none of its own.
 */
function credentialsFor(
  names: readonly string[],
  credentials: Credentials,
): readonly (Credential | undefined)[] {
  const other = Object.hasOwn(credentials, "*") ? credentials["*"] : undefined;
  const unnamed = names.filter((name) => !Object.hasOwn(credentials, name));
  return names.map((name) => {
    if (Object.hasOwn(credentials, name)) return credentials[name];
    return unnamed.length === 1 ? other : undefined;
  });
}

async function sign(
  requirements: readonly Requirement[],
  credentials: Credentials,
  refused: Refused,
): Promise<Signature | undefined> {
  const needed = requirements.filter(({ scheme }) => scheme.kind !== "none");
  const found = credentialsFor(
    needed.map(({ name }) => name),
    credentials,
  );
  let signature = UNSIGNED;
  for (const [index, requirement] of needed.entries()) {
    const credential = found[index];
    const value = credential === undefined ? undefined : await readCredential(credential, refused);
    if (value === undefined) return undefined;
    assertHeader(requirement);
    signature = signed(signature, requirement.scheme, value);
  }
  return signature;
}

function howTo({ name, scheme }: Requirement): string {
  const way = getWay(scheme);
  return way === "" ? name : `${name} (${way})`;
}

function missingCredentials(
  needed: Alternatives,
  credentials: Credentials,
  signInHint: string | undefined,
): Skip {
  const ways = needed.map((each) => each.map(howTo).join(" and ")).join(", or ");
  const isShort = Object.hasOwn(credentials, "*") && needed.some((each) => each.length > 1);
  const why = isShort ? '; the credential of "*" is used only if one scheme has no other' : "";
  const first = signInHint === undefined ? "" : `${signInHint}, or `;
  return { code: "TOKEN_MISSING", hint: `${first}set credentials for ${ways}${why}` };
}

/** The server that gets the credentials. */
interface Receiver {
  readonly isTrusted: boolean;
  /** Whether every request has a secret, regardless of the description. */
  readonly isAlwaysSecret: boolean;
  readonly host: string;
  /** The next step for a caller if credentials are missing. */
  readonly signInHint: string | undefined;
}

/** The first alternative whose credentials are all available, or why none can be used. */
export async function signatureFor(
  needed: Alternatives,
  credentials: Credentials,
  { isTrusted, isAlwaysSecret, host, signInHint }: Receiver,
  refused?: readonly string[],
): Promise<{ readonly signature: Signature } | { readonly skip: Skip }> {
  const demanding = needed.filter((each) => each.length > 0);
  const isOptional = demanding.length < needed.length || needed.length === 0;
  if (!isTrusted && (isAlwaysSecret || !isOptional)) {
    const condition = host.startsWith("http:") ? " with http://, which sends them unencrypted" : "";
    const hint = `the credentials are not sent to ${host}; to allow it, add the host to "hosts"${condition}`;
    return { skip: { code: "HOST_MISMATCH", hint } };
  }
  for (const each of isTrusted ? demanding : []) {
    const signature = await sign(each, credentials, refused);
    if (signature !== undefined) return { signature };
  }
  return isOptional
    ? { signature: UNSIGNED }
    : { skip: missingCredentials(demanding, credentials, signInHint) };
}
