// A worker of the service `kitchen`, in its own process. Argument: the URL of the NATS server.
import { createWaybill, defineOperation } from "@waybill/core";
import { connectNats, natsJournal, serveNats } from "@waybill/nats";

const [servers = ""] = process.argv.slice(2);
const key = process.env.KITCHEN_KEY;

const order = defineOperation({
  id: "tea.order",
  description: "Order tea.",
  input: { type: "object", required: ["cups"], properties: { cups: { type: "integer" } } },
  handler: ({ cups }) => ({ cups, cook: process.pid }),
});

const link = await connectNats({ servers, service: "kitchen", key });
const waybill = createWaybill({ operations: [order], journal: natsJournal(link) });
const service = await serveNats(link, waybill);
process.send?.("ready");

process.once("SIGTERM", () => {
  void service.drain().then(() => process.exit(0));
});
