import { UsageError } from "./words/usage-error.ts";

/** Errors that are the user's mistake, and their fix. */
const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES:
    "it is not allowed; use a port above 1023, or a folder that exists and that you may write to",
  EADDRINUSE: "another program already listens there; stop it, or choose another address",
  EADDRNOTAVAIL: "it is not an address of this machine; use one, such as 127.0.0.1",
  ENOTFOUND: "the name is unknown; pass an address such as 127.0.0.1",
};

/** The error to throw if a server cannot listen: a usage error if the address is wrong. */
export function listenError(error: unknown, place: string): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  const problem = PROBLEMS[String(code)];
  return problem === undefined ? error : new UsageError(`Cannot listen on ${place}: ${problem}`);
}
