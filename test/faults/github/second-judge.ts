// The fault matrix on an independent GitHub emulator (`emulate`, REST only) behind the same proxy.
import { memoryJournal } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import {
  SECOND,
  startSecondGithub,
} from "../../../packages/github/src/pack/fixtures/second-github.ts";
import type { SecondGithub } from "../../../packages/github/src/pack/fixtures/second-github.ts";
import { freePort } from "../../support/free-port.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { WIRE_FAULT_NAMES, readsWork, wireFault } from "./wire-faults.ts";
import type { WireFaultName } from "./wire-faults.ts";

type Rest = SecondGithub["rest"];
type Item = Readonly<Record<string, unknown>>;

/** A write that is unique each time, and how often it is visible. */
interface JudgedWrite {
  readonly id: string;
  readonly prepare?: (rest: Rest, name: string) => Promise<unknown>;
  readonly params: (name: string, prepared: Item) => object;
  readonly count: (rest: Rest, name: string, prepared: Item) => Promise<number>;
}

const REPO = "/repos/octo/hello";

async function countIn(rest: Rest, path: string, isIt: (item: Item) => boolean): Promise<number> {
  const list = (await rest(`GET ${REPO}/${path}`)) as Item[];
  return list.filter(isIt).length;
}

async function isMissing(rest: Rest, path: string): Promise<number> {
  return rest(`GET ${REPO}/${path}`).then(
    () => 0,
    () => 1,
  );
}

const newIssue = (rest: Rest, name: string) => rest(`POST ${REPO}/issues`, { title: name });
const newLabel = (rest: Rest, name: string) =>
  rest(`POST ${REPO}/labels`, { name, color: "d73a4a" });
const LIST = "?state=all&per_page=100&sort=created&direction=desc";

const WRITES: readonly JudgedWrite[] = [
  {
    id: "issue.create",
    params: (title) => ({ ...SECOND, title, body: "b" }),
    count: (rest, name) => countIn(rest, `issues${LIST}`, ({ title }) => title === name),
  },
  {
    id: "issue.close",
    prepare: newIssue,
    params: (_name, { number }) => ({ ...SECOND, issueNumber: number }),
    count: (rest, name) =>
      countIn(rest, `issues${LIST}`, ({ title, state }) => title === name && state === "closed"),
  },
  {
    id: "issue.update",
    prepare: newIssue,
    params: (name, { number }) => ({ ...SECOND, issueNumber: number, title: `${name} new` }),
    count: (rest, name) => countIn(rest, `issues${LIST}`, ({ title }) => title === `${name} new`),
  },
  {
    id: "label.create",
    params: (label) => ({ ...SECOND, label, color: "0075ca" }),
    count: (rest, label) => countIn(rest, "labels?per_page=100", ({ name }) => name === label),
  },
  {
    id: "label.delete",
    prepare: newLabel,
    params: (label) => ({ ...SECOND, label }),
    count: (rest, label) => isMissing(rest, `labels/${label}`),
  },
  {
    id: "milestone.create",
    params: (title) => ({ ...SECOND, title }),
    count: (rest, name) =>
      countIn(rest, "milestones?state=all&per_page=100", ({ title }) => title === name),
  },
  {
    id: "release.create",
    params: (tagName) => ({ ...SECOND, tagName }),
    count: (rest, name) =>
      countIn(rest, "releases?per_page=100", ({ tag_name }) => tag_name === name),
  },
];

export interface SecondTally {
  writes: number;
  applied: number;
  visible: number;
  settled: number;
  settledLater: number;
  readonly violations: string[];
  /** Applied writes that the probe did not settle, with what the probe found. */
  readonly left: string[];
}

function outcome({ ok, error }: ResultEnvelope): unknown {
  return ok ? "applied" : (error.details?.["outcome"] ?? "unknown");
}

function isWarned({ meta }: ResultEnvelope): boolean {
  return (meta.warnings ?? []).some((warning) => warning.includes("nother caller"));
}

function falsehoods(who: string, result: ResultEnvelope, count: number): string[] {
  const told = outcome(result);
  if (count > 1) return [`${who}: applied ${count} times`];
  const isFalse =
    (told === "applied" && count === 0 && !isWarned(result)) ||
    (told === "not_applied" && count > 0);
  return isFalse ? [`${who} told ${String(told)}, applied ${count} times`] : [];
}

const DEADLINE_MS = 120_000;
const ENDLESS_DEADLINE_MS = 2_000;
const LATER_MS = 16_000;

class SecondJudge {
  readonly tally: SecondTally = {
    writes: 0,
    applied: 0,
    visible: 0,
    settled: 0,
    settledLater: 0,
    violations: [],
    left: [],
  };
  readonly #second: SecondGithub;
  readonly #proxy: FaultProxy;

  constructor(second: SecondGithub, proxy: FaultProxy) {
    this.#second = second;
    this.#proxy = proxy;
  }

  async lose(write: JudgedWrite, fault: WireFaultName, isForGood: boolean): Promise<void> {
    const { rest, waybill } = this.#second;
    const name = `w${(this.tally.writes += 1)}`;
    const prepared = ((await write.prepare?.(rest, name)) ?? {}) as Item;
    const params = { ...write.params(name, prepared) };
    const call = (deadline_ms: number) =>
      waybill.execute(write.id, params, { idempotency_key: name, route: "rest", deadline_ms });
    this.#proxy.fault = wireFault(fault);
    this.#proxy.times = isForGood ? Infinity : 1;
    const isEndless = wireFault(fault).isEndless === true;
    const first = await call(isEndless ? ENDLESS_DEADLINE_MS : DEADLINE_MS);
    await this.#proxy.heal();
    const before = await write.count(rest, name, prepared);
    const repeat = await later(() => call(DEADLINE_MS));
    const after = await write.count(rest, name, prepared);
    const { tally } = this;
    const at = `${write.id}, ${fault}${isForGood ? " for good" : ""}`;
    const wrong = [
      ...falsehoods("the call", first, before),
      ...falsehoods("the repeat", repeat, after),
    ];
    tally.violations.push(...wrong.map((each) => `${at}: ${each}`));
    if (before === 0) return;
    if (outcome(repeat) !== "applied")
      tally.left.push(`${at}: ${JSON.stringify([first.error, repeat.error])}`);
    tally.applied += 1;
    if (outcome(repeat) === "applied") tally.settledLater += 1;
    if (!readsWork(fault)) return;
    tally.visible += 1;
    if (outcome(first) === "applied") tally.settled += 1;
  }
}

async function later<T>(work: () => Promise<T>): Promise<T> {
  const real = Date.now;
  Date.now = () => real() + LATER_MS;
  try {
    return await work();
  } finally {
    Date.now = real;
  }
}

/** Loses each of these writes in every way, or only in the ways of `faults`. */
export async function runSecondJudge(
  faults: readonly WireFaultName[] = WIRE_FAULT_NAMES,
): Promise<SecondTally> {
  let proxy: FaultProxy | undefined;
  const second = await startSecondGithub({
    waybill: { journal: memoryJournal() },
    front: async (port) => {
      const own = await freePort();
      proxy = new FaultProxy(own, port);
      await proxy.start();
      return `http://127.0.0.1:${own}`;
    },
  });
  try {
    const judge = new SecondJudge(second, proxy!);
    for (const [index, fault] of faults.entries()) {
      for (const write of WRITES) await judge.lose(write, fault, index % 2 === 0);
    }
    return judge.tally;
  } finally {
    await proxy!.close();
    await second.close();
  }
}
