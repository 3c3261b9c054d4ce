import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { openapiSource } from "@waybill/adapters/openapi";
import { createCodeRunner, memoryRunLog } from "@waybill/code";
import type { CodeRunner } from "@waybill/code";
import { createWaybill, memoryHandles, memoryJournal } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { mcpSource } from "@waybill/mcp/client";

const whole = { type: "integer" } as const;
const text = { type: "string" } as const;
const list = (properties: object) =>
  ({ type: "array", items: { type: "object", properties } }) as const;
const TICKET = {
  id: whole,
  subject: text,
  status: text,
  urgent: { type: "boolean" },
  customer: whole,
} as const;

function answers(schema: object) {
  return { 200: { description: "ok", content: { "application/json": { schema } } } };
}

const ID = { name: "id", in: "path", required: true, schema: whole } as const;
const DESCRIPTION = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  paths: {
    "/tickets": { get: { operationId: "tickets.list", responses: answers(list(TICKET)) } },
    "/customers": {
      get: { operationId: "customers.list", responses: answers(list({ id: whole, plan: text })) },
    },
    "/tickets/{id}": {
      parameters: [ID],
      get: {
        operationId: "tickets.view",
        responses: answers({
          type: "object",
          properties: { ...TICKET, replies: { type: "array", items: text } },
        }),
      },
      patch: {
        operationId: "tickets.update",
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { type: "object", properties: { status: text } } },
          },
        },
        responses: answers({ type: "object", properties: TICKET }),
      },
    },
  },
};

interface Ticket {
  readonly id: number;
  readonly subject: string;
  readonly status: string;
  readonly urgent: boolean;
  readonly customer: number;
}

function firstTickets(): Ticket[] {
  return Array.from({ length: 60 }, (_, n) => ({
    id: n,
    subject: n % 5 === 0 ? `A refund, please (${n})` : `How do I (${n})`,
    status: n % 5 === 1 ? "closed" : "open",
    urgent: n % 10 === 0,
    customer: n % 10,
  }));
}

const CUSTOMERS = Array.from({ length: 10 }, (_, id) => ({ id, plan: id < 5 ? "free" : "pro" }));

/** A help desk as an API with a description. */
async function startDesk() {
  const state = { tickets: firstTickets(), requests: 0 };
  const server = createServer((request, response) => {
    state.requests += 1;
    const [, kind, id] = (request.url ?? "").split("/");
    const ticket = state.tickets[Number(id)];
    const isChange = request.method === "PATCH" && ticket !== undefined;
    if (isChange) state.tickets[ticket.id] = { ...ticket, status: "closed" };
    const one = ticket && { ...ticket, replies: ticket.id % 20 === 10 ? [] : ["Thanks"] };
    const found = kind === "customers" ? CUSTOMERS : id === undefined ? state.tickets : one;
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { state, baseUrl: `http://127.0.0.1:${port}`, server };
}

export interface DeskWorld {
  readonly waybill: Waybill;
  readonly runner: CodeRunner;
  readonly tickets: () => readonly Ticket[];
  /** Requests to the API so far. */
  readonly requests: () => number;
  close(): Promise<void>;
}

/** A help desk by OpenAPI and notes by MCP. */
export async function openDeskWorld(): Promise<DeskWorld> {
  const { state, baseUrl, server } = await startDesk();
  const desk = openapiSource({ name: "desk", document: DESCRIPTION, baseUrl, allowPrivate: true });
  const file = fileURLToPath(new URL("../../examples/mcp/server.ts", import.meta.url));
  const args = ["--import", "tsx", file];
  const notes = mcpSource({ name: "notes", command: process.execPath, args, trusted: true });
  const waybill = createWaybill({
    sources: [desk, notes],
    journal: memoryJournal(),
    handles: memoryHandles(),
  });
  const runner = createCodeRunner({ log: memoryRunLog() });
  return {
    waybill,
    runner,
    tickets: () => state.tickets,
    requests: () => state.requests,
    async close() {
      runner.close();
      await waybill.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
