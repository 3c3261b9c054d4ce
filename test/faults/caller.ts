// A process that makes one keyed write. It stops at the given steps, prints each one, and continues
// when it reads a line, unless it is killed first.
import { createInterface } from "node:readline";
import { createHttpTransport } from "@waybill/adapters/http";
import type { HttpTransport } from "@waybill/adapters/http";
import { openJournal } from "@waybill/state";
import { waybillFor } from "./bench.ts";
import type { CallerOptions } from "./kill-caller.ts";
import { pausingJournal, pausingTransport } from "./pausing.ts";
import type { Step } from "./pausing.ts";
import { FAULT_HEADER } from "./upstream.ts";

const options = JSON.parse(process.argv[2]!) as CallerOptions;
const stops: string[] = [...options.stops];
const lines = createInterface(process.stdin)[Symbol.asyncIterator]();

async function reach(step: Step): Promise<void> {
  if (stops[0] !== step) return;
  stops.shift();
  process.stdout.write(`${step}\n`);
  await lines.next();
}

/** Injects the requested fault into the first request. */
function withFirstFault(transport: HttpTransport): HttpTransport {
  let { fault } = options;
  return {
    ...transport,
    send(request, attempt) {
      const headers = { ...request.headers, ...(fault !== undefined && { [FAULT_HEADER]: fault }) };
      fault = undefined;
      return transport.send({ ...request, headers }, attempt);
    },
  };
}

const transport = createHttpTransport();
const faulty: HttpTransport = withFirstFault({
  send: (request, attempt) => transport.send(request, attempt),
  stream: (request, attempt) => transport.stream(request, attempt),
  openSockets: 0,
  close: () => transport.close(),
});
const journal = pausingJournal(openJournal({ path: options.path }), reach);
const waybill = await waybillFor(options.url, pausingTransport(faulty, reach), journal);
const { key, marker, capability = "keyed.rest" } = options;
const params = { shelf: marker, text: marker };
const result = await waybill.execute(capability, params, { idempotency_key: key });
process.stdout.write(`${JSON.stringify(result)}\n`);
await waybill.close();
transport.close();
process.exit(0);
