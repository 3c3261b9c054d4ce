import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CallError } from "@waybill/core";
import { asArray, asRecord, textOr } from "../document/raw.ts";
import type { Raw } from "../document/raw.ts";
import type { Specification } from "../document/specification.ts";
import { upgradedServers } from "../document/swagger2.ts";

export interface ServerChoice {
  /** The server to use instead of the one in the description. */
  readonly server?: string | undefined;
  /** Servers to use instead of those that operations define themselves, by their URL. */
  readonly otherServers?: Readonly<Record<string, string>> | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

function unusable(message: string): CallError {
  return fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}

function variableValue(name: string, variable: unknown, given: string | undefined): string {
  const described = asRecord(variable);
  const values = asArray(described["enum"]).map((value) => textOr(value, ""));
  if (given !== undefined && values.length > 0 && !values.includes(given)) {
    throw unusable(`The server variable ${name} must be one of ${values.join(", ")}`);
  }
  const value = given ?? textOr(described["default"], values[0] ?? "");
  if (value === "")
    throw unusable(`The server variable ${name} has no value; set it in "variables"`);
  return value;
}

function filled(server: Raw, given: Readonly<Record<string, string>>): string {
  const variables = asRecord(server["variables"]);
  return textOr(server["url"], "/").replaceAll(/\{([^{}]+)\}/gu, (_whole, name: string) =>
    variableValue(name, variables[name], Object.hasOwn(given, name) ? given[name] : undefined),
  );
}

function absolute(url: string, base: string | undefined): string {
  const full = url.startsWith("//") ? `https:${url}` : url;
  if (base === undefined ? URL.canParse(full) : URL.canParse(full, base)) {
    const parsed = new URL(full, base);
    if (parsed.protocol === "http:" || parsed.protocol === "https:") return parsed.href;
  }
  throw unusable(
    `The description does not name the address of the API (its server is "${url.slice(0, 80)}"); set "server"`,
  );
}

function listAt(specification: Specification, keys: readonly string[]): Raw[] {
  const list = specification.document.at([...keys, "servers"]);
  return asArray(list).filter(isRecord);
}

function rootServers(specification: Specification): Raw[] {
  const { document, isSwagger } = specification;
  if (!isSwagger) return listAt(specification, []);
  const [host, basePath, schemes] = ["host", "basePath", "schemes"].map((key) =>
    document.at([key]),
  );
  return upgradedServers({ host, basePath, schemes });
}

/** The hosts of all servers of the whole description. Servers without a known host are omitted. */
export function serverHosts(
  specification: Specification,
  { server, variables = {} }: ServerChoice,
): string[] {
  const urls = server === undefined ? rootServers(specification) : [{ url: server }];
  const hosts = (urls.length === 0 ? [{ url: "/" }] : urls).flatMap((each) => {
    try {
      return [new URL(absolute(filled(each, variables), specification.baseUrl)).host];
    } catch {
      return [];
    }
  });
  return [...new Set(hosts)];
}

/**
 * The absolute URL of an operation's server, with variables filled in. The most specific server
 * is used.
 */
export function serverUrl(
  specification: Specification,
  places: readonly (readonly string[])[],
  { server, otherServers = {}, variables = {} }: ServerChoice,
): string {
  const near = places.map((keys) => listAt(specification, keys)).find((list) => list.length > 0);
  const own = near?.map(({ url }) => String(url)).find((url) => Object.hasOwn(otherServers, url));
  if (own !== undefined) return absolute(otherServers[own]!, specification.baseUrl);
  if (server !== undefined) return absolute(server, specification.baseUrl);
  const [first = { url: "/" }] = near ?? rootServers(specification);
  return absolute(filled(first, variables), specification.baseUrl);
}
