import { fail } from "@waybill/core";
import type { Skip } from "@waybill/core";
import { readToken } from "../http/index.ts";
import type { TokenSource } from "../http/index.ts";
import { TRANSPORT_HEADERS } from "./parameters.ts";
import type { Alternatives, Requirement, SecurityScheme } from "./security.ts";

/** A secret: itself, where to get it, or the environment variable that holds it. */
export type Secret = TokenSource | { readonly env: string };

/** What is sent for a security scheme. */
export type Credential = Secret | { readonly username: Secret; readonly password: Secret };

/** By the name of the security scheme; `*` for any that is not named. */
export type Credentials = Readonly<Record<string, Credential>>;

/** What credentials add to a request. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  /** What must appear nowhere. */
  readonly secrets: readonly string[];
}

const REDACTED = "[redacted]";

function hidden([name]: readonly [string, string]): readonly [string, string] {
  return [name, REDACTED];
}

/** The same places with nothing secret in them, for who is shown a request. */
export function redacted({ headers, query, cookies }: Signature): Signature {
  return {
    headers: Object.fromEntries(Object.entries(headers).map(hidden)),
    query: query.map(hidden),
    cookies: cookies.map(hidden),
    secrets: [],
  };
}

const UNSIGNED: Signature = { headers: {}, query: [], cookies: [], secrets: [] };

async function readSecret(secret: Secret): Promise<string | undefined> {
  if (typeof secret === "object") return readToken(process.env[secret.env]);
  return readToken(secret);
}

async function readCredential(credential: Credential): Promise<string | undefined> {
  if (typeof credential !== "object" || !("username" in credential)) return readSecret(credential);
  const username = await readSecret(credential.username);
  const password = await readSecret(credential.password);
  return username === undefined ? undefined : `${username}:${password ?? ""}`;
}

function credentialFor(credentials: Credentials, name: string): Credential | undefined {
  if (Object.hasOwn(credentials, name)) return credentials[name];
  return Object.hasOwn(credentials, "*") ? credentials["*"] : undefined;
}

function authorization(scheme: string, value: string): string {
  if (scheme === "basic") {
    // A key alone is a user without a password.
    const pair = value.includes(":") ? value : `${value}:`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  return `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} ${value}`;
}

function signed(signature: Signature, scheme: SecurityScheme, value: string): Signature {
  const { headers, query, cookies } = signature;
  const secrets = [...signature.secrets, value];
  if (scheme.kind === "http") {
    const header = authorization(scheme.scheme, value);
    return {
      ...signature,
      headers: { ...headers, authorization: header },
      secrets: [...secrets, header],
    };
  }
  if (scheme.kind === "none") return signature;
  const pair = [scheme.name, value] as const;
  if (scheme.in === "query") return { ...signature, query: [...query, pair], secrets };
  if (scheme.in === "cookie") return { ...signature, cookies: [...cookies, pair], secrets };
  return { ...signature, headers: { ...headers, [scheme.name.toLowerCase()]: value }, secrets };
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/u;

/** A key in a header that belongs to the transport would change where or how the request goes. */
function assertHeader({ name, scheme }: Requirement): void {
  if (scheme.kind !== "apiKey" || scheme.in !== "header") return;
  const header = scheme.name.toLowerCase();
  if (HEADER_NAME.test(header) && !TRANSPORT_HEADERS.has(header)) return;
  const shown = JSON.stringify(scheme.name.slice(0, 80));
  const message = `${name} wants a key in the header ${shown}, which cannot hold one`;
  throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}

async function sign(
  requirements: readonly Requirement[],
  credentials: Credentials,
): Promise<Signature | undefined> {
  let signature = UNSIGNED;
  for (const requirement of requirements) {
    const { name, scheme } = requirement;
    if (scheme.kind === "none") continue;
    const credential = credentialFor(credentials, name);
    const value = credential === undefined ? undefined : await readCredential(credential);
    if (value === undefined) return undefined;
    assertHeader(requirement);
    signature = signed(signature, scheme, value);
  }
  return signature;
}

function howTo({ name, scheme }: Requirement): string {
  if (scheme.kind === "apiKey") return `${name} (the ${scheme.in} ${scheme.name})`;
  return scheme.kind === "http" ? `${name} (${scheme.scheme})` : name;
}

function missing(needed: Alternatives): Skip {
  const ways = needed.map((each) => each.map(howTo).join(" and ")).join(", or ");
  return { code: "TOKEN_MISSING", hint: `set credentials for ${ways}` };
}

/** The first alternative whose credentials are all there, or why none can be used. */
export async function signatureFor(
  needed: Alternatives,
  credentials: Credentials,
  { isTrusted, host }: { readonly isTrusted: boolean; readonly host: string },
): Promise<{ readonly signature: Signature } | { readonly skip: Skip }> {
  const demanding = needed.filter((each) => each.length > 0);
  const isOptional = demanding.length < needed.length || needed.length === 0;
  if (!isTrusted && !isOptional) {
    const condition = host.startsWith("http:")
      ? "as it is here, with http://, if they may be sent in the open"
      : "if they are";
    const hint = `the credentials are not for ${host}; add it to "hosts" ${condition}`;
    return { skip: { code: "HOST_MISMATCH", hint } };
  }
  for (const each of isTrusted ? demanding : []) {
    const signature = await sign(each, credentials);
    if (signature !== undefined) return { signature };
  }
  return isOptional ? { signature: UNSIGNED } : { skip: missing(demanding) };
}
