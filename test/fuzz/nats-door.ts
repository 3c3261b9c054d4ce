import { connect, headers } from "@nats-io/transport-node";
import type { Msg, MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import { isResponseEnvelope } from "@waybill/core";
import { CALL_ERROR_CODES } from "@waybill/core/protocol";
import { connectNats, serveNats } from "@waybill/nats";
import { constant, constantFrom, dictionary, oneof, record } from "fast-check";
import { startServer } from "../support/nats-server.ts";
import { envelopeProblem } from "./envelopes.ts";
import { through } from "./through.ts";
import type { Door } from "./through.ts";
import { nearlyTyped, oddJson, oddOptions, oddText, values } from "./values.ts";
import { fuzzedWaybill } from "./waybill.ts";

const SERVICE = "fuzz";
const EXECUTE = `${SERVICE}.op.waybill.execute`;

const names = constantFrom(
  "Waybill-Parent",
  "Waybill-Deadline",
  "Waybill-Key",
  "Waybill-Trace",
  "Waybill-Window",
  "Waybill-Identity",
  "Waybill-Body",
  "Waybill-Operation",
  "Waybill-Event",
  "Nats-Service-Error-Code",
);
/** Removes line breaks, because a client sends none in a header. */
const headerTexts = oneof(
  constantFrom("0", "1", "-1", "1790000000000 60000", '{"a":"b"}', "%41", "%zz", "value.any"),
  oddText.map((text) => text.replaceAll(/[\r\n]/g, " ")),
);
const calls = record({
  capability_id: oneof(constantFrom("value.any", "value.typed", "value.write"), oddText),
  params: oneof(oddJson, nearlyTyped),
  options: oddOptions,
});
const messages = record({
  subject: oneof(
    constantFrom("value.any", "value.typed", "value.write").map((id) => `${SERVICE}.op.${id}`),
    constant(EXECUTE),
    constantFrom(`${SERVICE}.any`, `${SERVICE}.control`),
  ),
  body: oneof(
    oneof(calls, oddJson, nearlyTyped).map((value) => JSON.stringify(value) ?? ""),
    oddText,
  ),
  facts: dictionary(names, headerTexts, { maxKeys: 3 }),
});

function headersFrom(facts: Readonly<Record<string, string>>): MsgHdrs {
  const made = headers();
  for (const [name, value] of Object.entries(facts)) made.set(name, value);
  return made;
}

/**
 * Returns the problem of an answer; the answer must be an envelope, or an error with a Waybill
 * code.
 */
function answerProblem(subject: string, message: Msg): string | undefined {
  const { headers: given, data } = message;
  if (given?.code === 503 || given?.get("Waybill-Event") === "alive") return undefined;
  const said = message.json<Record<string, unknown>>();
  if (given?.has("Nats-Service-Error-Code") === true) {
    const isKnown = Object.hasOwn(CALL_ERROR_CODES, String(said["code"]));
    return isKnown && typeof said["message"] === "string" ? undefined : JSON.stringify(said);
  }
  if (!isResponseEnvelope(said))
    return `is no envelope: ${Buffer.from(data).toString().slice(0, 300)}`;
  return subject === EXECUTE ? envelopeProblem(said.data) : undefined;
}

function ask(peer: NatsConnection, subject: string, body: string, given?: MsgHdrs): Promise<Msg> {
  const options = given === undefined ? {} : { headers: given };
  return peer.request(subject, body, { timeout: 60_000, ...options });
}

/** Checks that every request gets an answer, and that a worker still serves after any input. */
export const nats: Door = async (count, seed) => {
  const undo: (() => Promise<void>)[] = [];
  const server = await startServer((task) => undo.unshift(task));
  const link = await connectNats({ servers: server.url, service: SERVICE });
  const peer = await connect({ servers: new URL(server.url).host });
  undo.unshift(
    () => link.close(),
    () => peer.close(),
  );
  await serveNats(link, fuzzedWaybill());
  const violations = await through(
    values(messages, count, seed),
    async ({ subject, body, facts }) => {
      const given = headersFrom(facts);
      if (!subject.endsWith(".control")) {
        return answerProblem(subject, await ask(peer, subject, body, given));
      }
      peer.publish(subject, body, { headers: given });
      const after = await ask(peer, `${SERVICE}.op.value.any`, "1");
      return answerProblem(subject, after);
    },
  );
  for (const task of undo) await task();
  return violations;
};
