import type { Waybill } from "@waybill/core";
import { loadConfig } from "@waybill/state";
import { natsJournal, serveNats } from "@waybill/nats";
import type { NatsService } from "@waybill/nats";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printJson, printText, warn } from "../io.ts";
import type { Io } from "../io.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { UsageError } from "../words/usage-error.ts";
import { openLink } from "../waybill/nats-link.ts";
import type { OpenedLink } from "../waybill/nats-link.ts";
import { orUsageError, withWaybill } from "../waybill/index.ts";
import { getRoot } from "./graph-root.ts";
import { auditIn } from "./serve-audit.ts";

const NOBODY = "Open: everyone who can reach the NATS server may call, and calls have no identity.";
const SIGNED = "Calls need an identity that is signed with the configured key.";

/** Prints the next step for a person, or JSON for a program. */
function printNatsWorker(io: Io, { link, server, key }: OpenedLink, count: number): Promise<void> {
  const { service } = link;
  if (!io.isTTY) {
    const identity = key === undefined ? "nobody" : "signed";
    return printJson(io, { server, service, operations: count, identity });
  }
  return printText(
    io,
    [
      `Serving ${count} operations as the service ${service} at ${server}.`,
      key === undefined ? NOBODY : SIGNED,
      "",
      `  waybill run <id> --via nats://${server}/${service}`,
      "",
      "Ctrl-C finishes the running calls and stops.",
    ].join("\n"),
  );
}

async function serve(io: Io, opened: OpenedLink, waybill: Waybill): Promise<void> {
  const service: NatsService = await serveNats(opened.link, waybill);
  await printNatsWorker(io, opened, service.operations.length);
  await untilInterrupted(io);
  if (io.isTTY) await note(io, "waybill: finishing the running calls");
  await service.drain();
}

/**
 * Without a signing key, everyone on the bus may call, including writes. So an explicit flag is
 * required.
 */
async function assertGuarded({ switches }: Words, io: Io): Promise<void> {
  const { nats = {}, warnings } = await orUsageError(loadConfig(io));
  const isOpen = switches.has("open");
  if (isOpen !== (nats.key !== undefined)) return;
  await warn(io, warnings);
  throw isOpen
    ? new UsageError("--open cannot be used because nats.key is configured; leave out --open")
    : new UsageError(
        "Without nats.key everyone who can reach the NATS server could call, including writes",
        {
          hint: `Configure "nats": {"key": {"env": "NAME"}} here and for callers, or add --open`,
        },
      );
}

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(
      `waybill serve nats takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  }
  const code = words.values.has("root") ? { root: getRoot(words, io) } : "none";
  await assertGuarded(words, io);
  const { values } = words;
  const opened = await openLink(io, {
    server: values.get("server"),
    service: values.get("service"),
  });
  try {
    const { replicas, key } = opened;
    const doorSecrets = key === undefined ? [] : [key];
    const journal = natsJournal(opened.link, replicas === undefined ? {} : { replicas });
    await journal.check?.();
    if (journal.problem !== undefined) await warn(io, [journal.problem]);
    await withWaybill(
      io,
      (waybill) => serve(io, opened, waybill),
      { code },
      { journal, isRecorded: true, via: "nats", doorSecrets, ...auditIn(words, io) },
    );
  } finally {
    await opened.link.close();
  }
  return EXIT.ok;
};
