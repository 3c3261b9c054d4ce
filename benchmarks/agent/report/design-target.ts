import { isRecord } from "@waybill/core/schema";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Row } from "../../lib/report.mjs";
import { getPlays, sum } from "../figures/index.ts";
import type { Mode, Played, Trajectory, Turn } from "../types.ts";
import { wholeAnswer } from "../modes/whole-answer.ts";
import { getDoors } from "./targets.ts";

/**
 * The design's goal: the share of tokens to save, compared with reading documentation for every
 * request.
 */
const LEAST = 0.7;

const DOCUMENTATION = [
  ["gh-help", "reading `gh` help"],
  ["graphql", "reading types of GraphQL"],
] as const;

const META = { route_used: "graphql", reason: "CARD_PREFERRED" } as const;

function capabilityIn({ send }: Turn): string {
  const [, byTool, byCommand] =
    /"capability_id":"([^"]+)"|waybill run (\S+)/u.exec(send.text ?? "") ?? [];
  return byTool ?? byCommand ?? "";
}

/** The tokens of an answer as a full envelope. */
function fullTokens(turn: Turn): number {
  const { text = "", tokens } = turn.read;
  if (turn.purpose === "discover" || text === "") return tokens;
  const answer = wholeAnswer(turn.send.what, text);
  const own = isRecord(answer) && isRecord(answer["meta"]) ? answer["meta"] : {};
  const meta = { capability_id: capabilityIn(turn), ...META, ...own };
  const whole = isRecord(answer)
    ? { ...answer, meta }
    : { ok: true, data: answer, error: null, meta };
  return Math.max(tokens, encode(JSON.stringify(whole)).length);
}

/** How many more tokens a play needs with full answers than with brief ones. */
function extraTokens(trajectories: readonly Trajectory[], mode: Mode): ReadonlyMap<string, number> {
  const plain = trajectories.filter((each) => each.mode === mode && each.variant === "plain");
  return new Map(
    plain.map(({ scenario, turns }) => [
      scenario,
      sum(turns.map((turn) => fullTokens(turn) - turn.read.tokens)),
    ]),
  );
}

function savedShare(
  played: readonly Played[],
  mode: Mode,
  rival: Mode,
  extra: ReadonlyMap<string, number>,
): number {
  const theirs = getPlays(played, rival);
  const common = [...getPlays(played, mode).values()].filter(({ scenario }) =>
    theirs.has(scenario),
  );
  const ours = sum(common.map(({ scenario, tokens }) => tokens.anew + (extra.get(scenario) ?? 0)));
  const others = sum(common.map(({ scenario }) => theirs.get(scenario)!.tokens.anew));
  return others === 0 ? 0 : 1 - ours / others;
}

/** The goals of the design, for brief and full answers. */
export function designTargets(
  played: readonly Played[],
  trajectories: readonly Trajectory[],
): Row[] {
  return getDoors(played).flatMap(([, door, mode]) =>
    DOCUMENTATION.flatMap(([rival, what]) =>
      (["brief", "full"] as const).map((form): Row => {
        const extra = form === "full" ? extraTokens(trajectories, mode) : new Map<string, number>();
        const saved = savedShare(played, mode, rival, extra);
        return {
          name: `by ${door}, ${form} answers: fewer tokens than ${what} for every request`,
          value: Math.floor(saved * 1_000) / 10,
          unit: "%",
          target: `≥ ${LEAST * 100} %`,
          met: saved >= LEAST,
        };
      }),
    ),
  );
}
