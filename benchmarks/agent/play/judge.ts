import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@waybill/core/schema";
import type { Store } from "@waybill/github/emulator";
import { valueAtPath } from "../modes/envelope.ts";
import type { Performance } from "../modes/mode.ts";
import { askCompiler } from "../oracle/compiler.ts";
import type { Mode, Scenario } from "../types.ts";
import { storeState } from "../world/state.ts";
import { evaluateExpression } from "./expression.ts";
import type { Stage } from "./stage.ts";
import { schemaProblem } from "./validate-data.ts";

/** The current truth: from TypeScript for a code base, or from GitHub's own store. */
export function getTruth({ oracle }: Scenario, store: Store, code: string | undefined): unknown {
  if (oracle.compiler !== undefined && code !== undefined) {
    return askCompiler(code, oracle.compiler);
  }
  return oracle.state === undefined
    ? undefined
    : evaluateExpression(oracle.state, storeState(store));
}

function isWaybill(mode: Mode): boolean {
  return mode.startsWith("mcp-") || mode.startsWith("command-");
}

function shownValue(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}

function wrongAnswer(
  scenario: Scenario,
  made: Performance,
  truth: unknown,
  isPlain: boolean,
): string | undefined {
  const { equals } = scenario.oracle;
  if (equals !== undefined && !isDeepStrictEqual(truth, equals)) {
    return `GitHub has ${shownValue(truth)} instead of ${shownValue(equals)}`;
  }
  // After a fault or a wrong guess, another call may have reported the outcome of the write.
  if (made.answer === undefined || (equals !== undefined && !isPlain)) return undefined;
  const answer = evaluateExpression(made.answer, made.outputs);
  const right = equals === undefined ? truth : true;
  if (isDeepStrictEqual(answer, right)) return undefined;
  return `the answer is ${shownValue(answer)} instead of ${shownValue(right)}`;
}

function uncalled({ assertions }: Scenario, { github }: Stage): string | undefined {
  const asked = github.requests.flatMap(({ method, path, operations }) => [
    `${method} ${path}`,
    ...operations,
  ]);
  const missing = (assertions.calls ?? []).filter((call) => !asked.includes(call));
  return missing.length > 0 ? `GitHub was not asked for ${missing.join(", ")}` : undefined;
}

/** The route from GitHub's own log, for answers that do not name it. */
function routeInLog({ github }: Stage): string {
  const paths = github.requests.map(({ path }) => path);
  const isGraphql = paths.map((path) => path === "/graphql");
  return isGraphql.every(Boolean) ? "graphql" : isGraphql.some(Boolean) ? "both" : "rest";
}

function wrongRoute(
  { route, kind }: Scenario,
  outputs: readonly unknown[],
  stage: Stage,
): string | undefined {
  if (route === undefined || kind === "code") return undefined;
  const used = outputs.map((each) => valueAtPath(each, "meta", "route_used") ?? routeInLog(stage));
  const other = used.find((each) => each !== route);
  return used.length > 0 && used.every((each) => each === route)
    ? undefined
    : `a route is ${shownValue(other)}, not ${route}`;
}

function wrongCode({ assertions }: Scenario, outputs: readonly unknown[]): string | undefined {
  if (assertions.error === undefined) return undefined;
  const codes = outputs.map((each) =>
    isRecord(each) && isRecord(each["error"]) ? each["error"]["code"] : undefined,
  );
  return codes.includes(assertions.error) ? undefined : `no error is ${assertions.error}`;
}

function wrongPages(
  { assertions, kind }: Scenario,
  outputs: readonly unknown[],
): string | undefined {
  const { pages } = assertions;
  if (pages === undefined || kind === "bulk" || pages === outputs.length) return undefined;
  return `${outputs.length} pages were read, not ${pages}`;
}

/** Checks the form of Waybill's answers. With a fault, another route may have answered. */
async function wrongForm(
  scenario: Scenario,
  { outputs, hasOwnForm }: Performance,
  stage: Stage,
  isPlain: boolean,
): Promise<string | undefined> {
  const hasSchema = isPlain && hasOwnForm !== true;
  return (
    wrongCode(scenario, outputs) ??
    wrongPages(scenario, outputs) ??
    (isPlain ? wrongRoute(scenario, outputs, stage) : undefined) ??
    (hasSchema ? await schemaProblem(scenario, outputs) : undefined)
  );
}

function overLimit({ limits }: Scenario, { turns }: Performance): string | undefined {
  const tokens = turns.reduce((sum, { send, read }) => sum + send.tokens + read.tokens, 0);
  if (turns.length > limits.calls) return `${turns.length} calls, at most ${limits.calls}`;
  return tokens > limits.tokens ? `${tokens} tokens, at most ${limits.tokens}` : undefined;
}

export interface Judged {
  readonly scenario: Scenario;
  readonly mode: Mode;
  readonly isPlain: boolean;
  readonly made: Performance;
  readonly stage: Stage;
  readonly code: string | undefined;
}

/** Why a play failed; undefined if it passed. */
export async function judgePlay({
  scenario,
  mode,
  isPlain,
  made,
  stage,
  code,
}: Judged): Promise<string | undefined> {
  const truth = getTruth(scenario, stage.github.store, code);
  const wrong = wrongAnswer(scenario, made, truth, isPlain);
  if (wrong !== undefined || !isWaybill(mode)) return wrong;
  // The route and form of a program's answer are not checked, because a program may return
  // anything, use any route, and handle failures itself.
  if (mode.endsWith("-code")) {
    return scenario.steps.length > 1 ? undefined : wrongCode(scenario, made.outputs);
  }
  return (
    (await wrongForm(scenario, made, stage, isPlain)) ??
    (isPlain ? uncalled(scenario, stage) : undefined) ??
    (isPlain && mode.endsWith("indexed") ? overLimit(scenario, made) : undefined)
  );
}
