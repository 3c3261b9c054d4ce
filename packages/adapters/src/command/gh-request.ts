import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type { CardRequest, CommandRequest, RestRequest } from "@waybill/core/cards";

/**
 * How `gh` is called for a request. Bodies are passed on standard input, because other users can
 * see command lines.
 */
export interface GhCall {
  readonly argv: readonly string[];
  readonly stdin?: string;
}

const OWN_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
]);

function invalidGhRequest(message: string): CallError {
  return fail("VALIDATION", message, { outcome: "not_applied" });
}

function headerArguments(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => {
    if (OWN_HEADERS.has(name.toLowerCase())) {
      throw fail(
        "ADAPTER_UNSUPPORTED",
        `gh sets the header ${name} itself. Remove it from the card`,
        { outcome: "not_applied" },
      );
    }
    if (!/^[\w!#$%&'*+.^`|~-]+$/u.test(name) || /[\r\n\0]/u.test(value)) {
      throw invalidGhRequest(
        `The header ${JSON.stringify(name)} is not valid in a request; correct it in the card`,
      );
    }
    return `--header=${name}: ${value}`;
  });
}

/**
 * Encodes a path. Otherwise `gh` replaces `{owner}` and `:owner` by the repository of the
 * current folder, and treats text with `://` as a URL of any host.
 */
function pathArgument({ path, query }: RestRequest): string {
  if (!path.startsWith("/") || /[?#\\\s]/u.test(path))
    throw invalidGhRequest("The path is not URL-encoded; write special characters as %20");
  const encoded = path.replaceAll(/[:{}]/gu, encodeURIComponent);
  const search = new URLSearchParams(
    query.map(([name, value]) => [name, value] as [string, string]),
  ).toString();
  return search === "" ? encoded : `${encoded}?${search}`;
}

function restCall(request: RestRequest): GhCall {
  if (!/^[A-Za-z]+$/u.test(request.method))
    throw invalidGhRequest("The method is not an HTTP method; use one such as GET or POST");
  const options = [
    "api",
    "--include",
    `--method=${request.method.toUpperCase()}`,
    ...headerArguments(request.headers),
  ];
  const path = pathArgument(request);
  return request.body === undefined
    ? { argv: [...options, "--", path] }
    : { argv: [...options, "--input=-", "--", path], stdin: JSON.stringify(request.body) };
}

function findHost(argument: string): string | undefined {
  const url = /^[a-z][a-z+]*:\/\/(?:[^/@]*@)?([^/:?#]+)/iu.exec(argument);
  const remote = /^[^/@:\s]+@([^/:\s]+):/u.exec(argument);
  return (url ?? remote)?.[1]?.toLowerCase();
}

function repositoryHost(argument: string): string | undefined {
  const parts = argument.split("/");
  return findHost(argument) ?? (parts.length === 3 ? parts[0]?.toLowerCase() : undefined);
}

/** The hosts that a command line names, in a repository or a URL. */
function namedHosts(argv: readonly string[]): (string | undefined)[] {
  return argv.map((argument, index) => {
    const repository = /^(?:--repo=|-R=?)(.+)$/u.exec(argument)?.[1];
    if (repository !== undefined) return repositoryHost(repository);
    const before = argv[index - 1];
    return before === "--repo" || before === "-R" ? repositoryHost(argument) : findHost(argument);
  });
}

/** Refuses a command with another host, because `gh` would send the enterprise token there. */
function commandCall({ argv, stdin }: CommandRequest, host: string): GhCall {
  const own = host.split(":", 1)[0]?.toLowerCase();
  const other = namedHosts(argv).find((named) => named !== undefined && named !== own);
  if (other !== undefined)
    throw invalidGhRequest(
      `The command names ${other}, but this route uses ${host}; remove the host from the command`,
    );
  return stdin === undefined ? { argv } : { argv, stdin };
}

export function ghCall(request: CardRequest, host: string): GhCall {
  switch (request.kind) {
    case "rest":
      return restCall(request);
    case "graphql": {
      const { document: query, variables, operationName } = request;
      const stdin = JSON.stringify({ query, variables, operationName });
      return { argv: ["api", "--include", "--input=-", "--", "graphql"], stdin };
    }
    case "command":
      return commandCall(request, host);
  }
}
