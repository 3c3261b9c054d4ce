import type { PendingApproval, Waybill } from "@waybill/core";
import { isAgreed } from "../ask.ts";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { note, printJson, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";
import { withWaybill } from "../waybill/index.ts";

const HINT = "waybill approvals";

function getLine({ id, capability_id, params, caller, state }: PendingApproval): string {
  const who = caller === undefined ? "" : ` by ${caller}`;
  return `${id} ${state} ${capability_id}${who} ${params}`;
}

async function show(io: Io, { approvals }: Waybill, isJson: boolean): Promise<ExitCode> {
  const pending = await approvals.pending();
  if (isJson) await printJson(io, pending);
  else if (pending.length === 0) await note(io, "waybill: no call waits for an approval");
  else await printText(io, pending.map(getLine).join("\n"));
  return EXIT.ok;
}

/** Only a person may approve. An agent that runs commands has no terminal. */
function assertPerson({ isTTY }: Io): void {
  if (isTTY) return;
  throw new UsageError("Approvals need a terminal", {
    hint: "Run it in a terminal, or open waybill inspect",
  });
}

async function allow(io: Io, { approvals }: Waybill, waiting: PendingApproval): Promise<ExitCode> {
  assertPerson(io);
  const { id, capability_id, params } = waiting;
  const isAllowed = await isAgreed(io, `Allow ${capability_id} with ${params}?`);
  const isDone = isAllowed && (await approvals.answer(id, true));
  await printText(
    io,
    isDone ? `allowed ${id}; repeat the call to make it` : `${id} is still waiting`,
  );
  return isDone ? EXIT.ok : EXIT.failed;
}

async function deny(io: Io, { approvals }: Waybill, { id }: PendingApproval): Promise<ExitCode> {
  await approvals.answer(id, false);
  await printText(io, `denied ${id}`);
  return EXIT.ok;
}

const ANSWERS = { allow, deny } as const;

async function answerApproval(
  io: Io,
  waybill: Waybill,
  word: string,
  id: string | undefined,
): Promise<ExitCode> {
  const words = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];
  const kind = words.find((known) => known === word);
  if (kind === undefined) {
    const message = `waybill approvals takes allow or deny, not ${JSON.stringify(word)}`;
    throw await unknownWord(message, word, words, HINT);
  }
  const pending = await waybill.approvals.pending();
  const waiting = pending.find((each) => each.id === id);
  if (waiting !== undefined) return ANSWERS[kind](io, waybill, waiting);
  const message =
    id === undefined ? `waybill approvals ${kind} needs an id` : `No call waits with the id ${id}`;
  throw new UsageError(message, { hint: HINT });
}

export const run: RunCommand = async ({ positionals: [word, id, extra], switches }, io) => {
  if (extra !== undefined)
    throw new UsageError("waybill approvals answers one call at a time; pass one id");
  const nothing = { ids: [] };
  return withWaybill(
    io,
    (waybill) =>
      word === undefined
        ? show(io, waybill, switches.has("json"))
        : answerApproval(io, waybill, word, id),
    nothing,
  );
};
