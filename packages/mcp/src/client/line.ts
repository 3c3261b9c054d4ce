import type { Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { fail, isCallError } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type { OAuthSettings } from "./auth/settings.ts";
import { fillIn, fillInAll } from "./fill-in.ts";
import { httpLink } from "./http/http-transport.ts";
import { secretsIn } from "./secrets.ts";
import { isStdio } from "./settings.ts";
import type { HttpServer, McpSourceSettings, StdioServer } from "./settings.ts";
import { StdioTransport } from "./stdio/stdio-transport.ts";
import type { StateStore } from "./store/state-store.ts";

/** A connection to a server, with details of failures that the SDK hides. */
export interface Line {
  readonly transport: Transport;
  /** The secrets that were sent to the server. They are removed from quoted messages. */
  secrets(): readonly string[];
  /** Called if an answer was too long, with the id of its request if it is known. */
  onTooLong: ((id: number | undefined) => void) | undefined;
  failure(): CallError | undefined;
  /** The headers of the last HTTP response with this status. */
  headersOf(status: number): Readonly<Record<string, string>>;
  /** The last line of a program on standard error. */
  lastWords(): string | undefined;
  /** Whether a program was started and has ended by itself. */
  hasEnded(): boolean;
  wasTooLarge(): boolean;
  /** Tells the server that its session is over, if there is one. */
  endSession(): Promise<void>;
}

const DEFAULT_MESSAGE_BYTES = 32_000_000;

type Common = Pick<McpSourceSettings, "environment" | "maxMessageBytes">;

function getEnvironment({ environment }: Common): Readonly<Record<string, string | undefined>> {
  return environment ?? process.env;
}

/** Keeps the reason why a program could not be started, because the SDK replaces the error. */
class ProgramTransport extends StdioTransport {
  failure: CallError | undefined;

  override async start(): Promise<void> {
    try {
      await super.start();
    } catch (error) {
      if (isCallError(error)) this.failure = error;
      throw error;
    }
  }
}

function stdioLine(server: StdioServer, common: Common): Line {
  const environment = getEnvironment(common);
  const env = fillInAll(server.env ?? {}, environment);
  const transport = new ProgramTransport({
    command: fillIn(server.command, environment),
    args: (server.args ?? []).map((arg) => fillIn(arg, environment)),
    env: { ...getDefaultEnvironment(), ...env },
    cwd: server.cwd,
    limits: server.limits,
    isolated: server.isolated,
    maxLineBytes: common.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES,
  });
  const secrets = secretsIn(server.env ?? {}, env, environment);
  const line: Line = {
    transport,
    secrets: () => secrets,
    onTooLong: undefined,
    failure: () => transport.failure,
    headersOf: () => ({}),
    lastWords: () => transport.lastWords,
    hasEnded: () => transport.hasEnded,
    wasTooLarge: () => false,
    endSession: () => Promise.resolve(),
  };
  transport.onTooLong = (id) => line.onTooLong?.(id);
  return line;
}

/** The sign-in settings with their variables filled in. */
function filledAuth(auth: OAuthSettings, common: Common): OAuthSettings {
  const environment = getEnvironment(common);
  const fill = (text: string): string => fillIn(text, environment);
  const { clientSecret } = auth;
  const filled = clientSecret === undefined ? auth : { ...auth, clientSecret: fill(clientSecret) };
  if (filled.grant !== "client_credentials" || filled.privateKey === undefined) return filled;
  return { ...filled, privateKey: fill(filled.privateKey) };
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/u;
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/u;

/**
 * Checks headers here, because the platform's error quotes the value, which may be a secret,
 * instead of the name.
 */
function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (HEADER_NAME.test(name) && HEADER_TEXT.test(value)) continue;
    const what = HEADER_NAME.test(name)
      ? `The header ${name} contains a character that headers do not allow; remove line breaks and special characters`
      : `${JSON.stringify(name.slice(0, 80))} is not a valid header name`;
    throw fail("VALIDATION", what, { outcome: "not_applied" });
  }
}

function httpLine(server: HttpServer, common: Common, store: StateStore): Line {
  const environment = getEnvironment(common);
  const headers = fillInAll(server.headers ?? {}, environment);
  assertHeaders(headers);
  const auth = server.auth && filledAuth(server.auth, common);
  const { transport, lastFailure, headersOf, wasTooLarge, tokens } = httpLink({
    url: server.url,
    headers,
    auth,
    store,
    guard: server.guard,
    maxMessageBytes: common.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES,
  });
  const own = secretsIn(server.headers ?? {}, headers, environment);
  const secrets = auth?.clientSecret === undefined ? own : [...own, auth.clientSecret];
  return {
    transport,
    secrets: () => [...secrets, ...tokens()],
    onTooLong: undefined,
    failure: lastFailure,
    headersOf,
    lastWords: () => undefined,
    hasEnded: () => false,
    wasTooLarge,
    endSession: () => transport.terminateSession(),
  };
}

export function openLine(settings: McpSourceSettings, store: StateStore): Line {
  return isStdio(settings)
    ? stdioLine(settings, settings)
    : httpLine(settings, settings, settings.tokens ?? store);
}
