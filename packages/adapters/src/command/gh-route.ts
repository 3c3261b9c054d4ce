import { cliEnvelope, createRedactor } from "@waybill/core";
import type { Attempt } from "@waybill/core";
import type { CardRequest, CardRoute, FactSource, RouteAnswer } from "@waybill/core/cards";
import { cleanResult } from "./clean-result.ts";
import type { Environment } from "./environment.ts";
import { readAnswer } from "./gh-answer.ts";
import { ghEnvironment, isTenant } from "./gh-environment.ts";
import { ghFactSource } from "./gh-fact-source.ts";
import { debugLevel, movedRequest } from "./gh-redirect.ts";
import { ghCall } from "./gh-request.ts";
import type { GhCall } from "./gh-request.ts";
import type { GhData } from "./gh-run.ts";
import { headerInfo } from "./header-info.ts";
import type { OutputRest } from "./output.ts";
import { runProgram } from "./run-program.ts";
import type { ProgramResult } from "./run-program.ts";

export interface GhRouteOptions {
  readonly program?: string;
  readonly host?: string;
  /** The token of the host. Without one, `gh` uses its own login. */
  readonly token?: string | undefined;
  readonly env: Environment;
  /** A configuration folder for `gh`, such as one that names a socket to use. */
  readonly socketConfigDir?: string | undefined;
  readonly cwd?: string | undefined;
  /** Provides the version of `gh`, which decides the name of the token variable of a tenant. */
  readonly facts?: FactSource;
  readonly maxOutputBytes?: number | undefined;
  /** Stores the output beyond `maxOutputBytes`, and closes the given `rest`. */
  readonly keepRest?: ((rest: OutputRest) => Promise<void>) | undefined;
}

const MAX_REDIRECTS = 5;

/** A finished run of `gh`, and how many requests were sent so far. */
interface Finished {
  readonly request: CardRequest;
  readonly call: GhCall;
  readonly result: ProgramResult;
  readonly runs: number;
}

function cutWarning({ rest, stdout }: ProgramResult): string[] {
  return rest === undefined
    ? []
    : [`The data has only the first ${stdout.length} of ${rest.size} bytes`];
}

/** Creates a route that sends the requests of cards with the GitHub CLI. */
export function ghRoute(options: GhRouteOptions): CardRoute {
  const { program = "gh", host = "github.com", token, env, socketConfigDir: configDir } = options;
  const facts = options.facts ?? ghFactSource({ program, host, env, token, configDir });

  const redactor = createRedactor(() => (token === undefined ? [] : [token]));

  const command = ({ argv }: GhCall): string[] => redactor.data([program, ...argv]);

  /** Sets GH_DEBUG, which prints the requests. Only this shows that a redirect was followed. */
  async function environment(request: CardRequest, isWrite: boolean): Promise<Environment> {
    const version = isTenant(host) ? (await facts.facts(["ghVersion"])).ghVersion : undefined;
    const own = ghEnvironment({ env, host, token, version, configDir });
    return isWrite ? { ...own, GH_DEBUG: debugLevel(request) } : own;
  }

  async function runGh(
    request: CardRequest,
    call: GhCall,
    attempt: Attempt,
  ): Promise<ProgramResult> {
    const isWrite = attempt.effect !== "read";
    const own = await environment(request, isWrite);
    if (isWrite) await attempt.beforeSend();
    const { signal, deadline } = attempt;
    const { cwd, maxOutputBytes } = options;
    const how = { program, env: own, cwd, signal, deadline, maxOutputBytes };
    return cleanResult(await runProgram({ ...call, ...how }), redactor);
  }

  /** Repeats a request at its new address if the upstream moved it. */
  async function finishRun(request: CardRequest, attempt: Attempt, runs = 1): Promise<Finished> {
    const call = ghCall(request, host);
    const result = await runGh(request, call, attempt);
    const moved = runs > MAX_REDIRECTS ? undefined : movedRequest(request, result, host);
    if (moved === undefined) return { request, call, result, runs };
    await result.rest?.close();
    return finishRun(moved, attempt, runs + 1);
  }

  /** Stores the rest of a long text in the store of handles, if there is one. */
  async function handOver({ rest }: ProgramResult): Promise<void> {
    if (rest !== undefined) await (options.keepRest?.(rest) ?? rest.close());
  }

  function ghAnswer({ call, result, runs }: Finished, found: GhData): RouteAnswer {
    const { data, headers, redirects = 0, fieldErrors = [] } = found;
    const { exitCode, durationMs } = result;
    const meta = { command: command(call), exitCode: exitCode ?? 0, durationMs };
    const warnings = [...(found.warnings ?? []), ...cutWarning(result)];
    const response = cliEnvelope(data, { ...meta, ...(warnings.length > 0 && { warnings }) });
    const missed = fieldErrors.length === 0 ? {} : { fieldErrors };
    const rawBytes = result.rest?.size ?? result.stdout.length;
    const known = { headers, ...headerInfo(headers, data) };
    return { response, upstreamRequests: runs + redirects, rawBytes, ...known, ...missed };
  }

  return {
    route: "cli",
    needs: ["ghAvailable", "ghVersion", "ghAuthenticated", "host", "offline"],

    async send(request: CardRequest, attempt: Attempt) {
      const finished = await finishRun(request, attempt);
      const { result } = finished;
      try {
        const data = readAnswer({ request: finished.request, effect: attempt.effect, result });
        await handOver(result);
        return ghAnswer(finished, data);
      } catch (error) {
        await result.rest?.close();
        throw error;
      }
    },

    describe(request) {
      const call = ghCall(request, host);
      const stdin = call.stdin === undefined ? {} : { stdin: redactor.data(call.stdin) };
      return { route: "cli", host, command: command(call), ...stdin };
    },
  };
}
