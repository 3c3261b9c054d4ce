import { describe, expect, it } from "vitest";
import { prepareCard } from "../cards/index.ts";
import type { Card } from "../cards/index.ts";
import { fail, localEnvelope } from "../envelope/index.ts";
import type { Operation } from "../operation/index.ts";
import { createWaybill } from "../execute/index.ts";
import { cardOperation, runForCallers } from "./index.ts";
import type { CardRoute } from "./index.ts";

const card: Card = {
  capability_id: "note.view",
  version: "1.0.0",
  description: "View a note",
  effect: "read",
  input_schema: { type: "object" },
  output_schema: { type: "object" },
  routing: { preferred: "rest", fallbacks: [] },
  rest: { method: "GET", path: "/note", output: "@" },
};

/** The operation by an account, which answers with its name or with a failure. */
async function readOperation(account: string | Error): Promise<Operation> {
  const route: CardRoute = {
    route: "rest",
    needs: [],
    describe: () => ({ account }),
    async send() {
      if (account instanceof Error) throw account;
      return { response: localEnvelope({ account }, "note.view"), upstreamRequests: 1 };
    },
  };
  return cardOperation(await prepareCard(card), { routes: [route] });
}

async function waybillFor(own: string | Error) {
  const { spec, run } = await readOperation(own);
  const runAs = async ({ id }: { readonly id: string }) => (await readOperation(id)).run;
  return createWaybill({ operations: [{ spec, run: runForCallers(run, runAs) }] });
}

describe("operations with one account for each caller", () => {
  it("a call uses the account of its caller, and the program's own account without one", async () => {
    const waybill = await waybillFor("program");
    const ada = waybill.as({ id: "ada", scopes: [] });
    expect((await ada.execute("note.view")).data).toEqual({ account: "ada" });
    expect((await waybill.execute("note.view")).data).toEqual({ account: "program" });
  });

  it("a dry run shows the request of the caller's own account", async () => {
    const ada = (await waybillFor("program")).as({ id: "ada", scopes: [] });
    const { data } = await ada.execute("note.view", {}, { dry_run: true });
    expect(JSON.stringify(data)).toContain("ada");
    expect(JSON.stringify(data)).not.toContain("program");
  });

  it("a failure has the card's details, without those of the transport", async () => {
    const transport = { status: 409, phase: "answered", body: "x", errors: [], location: "/y" };
    const waybill = await waybillFor(fail("CONFLICT", "locked", { ...transport, seen: 1 }));
    const { error } = await waybill.execute("note.view");
    expect(error).toMatchObject({ code: "CONFLICT", message: "locked", details: { seen: 1 } });
    for (const name of Object.keys(transport)) expect(error?.details).not.toHaveProperty(name);
  });
});
