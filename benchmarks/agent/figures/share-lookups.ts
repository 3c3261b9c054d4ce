import type { Played, Trajectory, Turn } from "../types.ts";
import { SESSION, SHORT_SESSION, getShare } from "./session.ts";
import { sum } from "./statistics.ts";

type Key = Pick<Played, "scenario" | "mode" | "variant">;

function sessionKey({ scenario, mode, variant }: Key): string {
  return `${mode} ${variant} ${scenario}`;
}

/** The question of a lookup. A session asks the same question only once. */
function getQuestion({ send }: Turn): string {
  return send.text ?? send.what;
}

function getLookups({ turns }: Trajectory): Turn[] {
  return turns.filter(({ purpose }) => purpose === "discover");
}

/** The lookups of each scenario in a mode, without a fault or a wrong guess. */
class Session {
  readonly #askers = new Map<string, Set<string>>();
  readonly #scenarios: number;

  constructor(plain: readonly Trajectory[]) {
    this.#scenarios = plain.length;
    for (const each of plain) {
      for (const question of getLookups(each).map(getQuestion)) {
        const askers = this.#askers.get(question) ?? new Set();
        this.#askers.set(question, askers.add(each.scenario));
      }
    }
  }

  /** The share of a text that a play pays for, as one operation of a session. */
  share(question: string, scenario: string, size: number): number {
    const askers = this.#askers.get(question) ?? new Set();
    const others = askers.size - (askers.has(scenario) ? 1 : 0);
    return getShare(others, Math.max(1, this.#scenarios), size);
  }
}

interface Spared {
  readonly tokens: number;
  readonly calls: number;
}

/**
 * The tokens and calls that a play saves, because other operations of the session made the same
 * lookup.
 */
function getSpared(trajectory: Trajectory, session: Session, size: number): Spared {
  const asked = new Set<string>();
  const calls: number[] = [];
  const tokens = getLookups(trajectory).map((turn) => {
    const question = getQuestion(turn);
    const paid = asked.has(question) ? 0 : session.share(question, trajectory.scenario, size);
    asked.add(question);
    // If a call looks up several pages, the rarest page decides how often the call is needed.
    if (turn.joined === true) calls.push(Math.max(paid, calls.pop() ?? 0));
    else calls.push(paid);
    return (turn.send.tokens + turn.read.tokens) * (1 - paid);
  });
  return { tokens: sum(tokens), calls: sum(calls.map((paid) => 1 - paid)) };
}

/** Tasks over many items are not combined with others in a session. */
function sessionKind({ mode, scenario }: Key, bulk: ReadonlySet<string>): string {
  return bulk.has(scenario) ? `${mode} bulk` : mode;
}

function getSessions(
  trajectories: readonly Trajectory[],
  bulk: ReadonlySet<string>,
): Map<string, Session> {
  const plain = trajectories.filter(({ variant }) => variant === "plain");
  const kinds = new Set(trajectories.map((each) => sessionKind(each, bulk)));
  return new Map(
    [...kinds].map((kind) => [
      kind,
      new Session(plain.filter((each) => sessionKind(each, bulk) === kind)),
    ]),
  );
}

/** Counts each play as one of ten operations in a session, which share their lookups. */
export function shareLookups(
  played: readonly Played[],
  trajectories: readonly Trajectory[],
): Played[] {
  const bulk = new Set(
    played.filter(({ kind }) => kind === "bulk").map(({ scenario }) => scenario),
  );
  const sessions = getSessions(trajectories, bulk);
  const found = new Map(trajectories.map((each) => [sessionKey(each), each]));
  return played.map((play) => {
    const trajectory = found.get(sessionKey(play));
    const session = sessions.get(sessionKind(play, bulk));
    if (trajectory === undefined || session === undefined) return play;
    const spared = getSpared(trajectory, session, SESSION);
    const short = getSpared(trajectory, session, SHORT_SESSION);
    const tokens = {
      ...play.tokens,
      total: play.tokens.anew - spared.tokens,
      three: play.tokens.three - short.tokens,
    };
    return {
      ...play,
      tokens,
      sessionCalls: play.calls - spared.calls,
      shortCalls: play.calls - short.calls,
    };
  });
}
