import { describe, expect, it } from "vitest";
import { prepareCard } from "../cards/index.ts";
import type { Card } from "../cards/index.ts";
import { fail, localEnvelope } from "../envelope/index.ts";
import { defineOperation } from "../operation/index.ts";
import type { Operation } from "../operation/index.ts";
import { createWaybill } from "../execute/index.ts";
import { cardOperation, runForCallers } from "./index.ts";
import type { AccountCaller, CardRoute, SourceAccounts } from "./index.ts";

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

/** The operation of one account, which answers with the account's name or with a failure. */
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
  const runAs = async ({ identity, account }: AccountCaller) =>
    (await readOperation(account ?? identity!.id)).run;
  const accounts: SourceAccounts = {
    list: async (identity) => (identity === undefined ? ["home", "work"] : []),
    connectHint: (_identity, account) => `Connect ${account}`,
  };
  return createWaybill({ operations: [{ spec, run: runForCallers(run, { runAs, accounts }) }] });
}

describe("operations with one account for each caller", () => {
  it("a call uses the account of its caller, and a call without a caller uses the program's account", async () => {
    const waybill = await waybillFor("program");
    const ada = waybill.as({ id: "ada", scopes: [] });
    expect((await ada.execute("note.view")).data).toEqual({ account: "ada" });
    expect((await waybill.execute("note.view")).data).toEqual({ account: "program" });
  });

  it("a step of a chain uses the account that it names, or else the account of the chain", async () => {
    const waybill = await waybillFor("program");
    const steps = [{ task: "note.view" }, { task: "note.view", account: "home" }];
    const { results } = await waybill.chain(steps, { account: "work" });
    expect(results.map(({ data }) => data)).toEqual([{ account: "work" }, { account: "home" }]);
  });

  it("a dry run shows the request of the caller's own account", async () => {
    const ada = (await waybillFor("program")).as({ id: "ada", scopes: [] });
    const { data } = await ada.execute("note.view", {}, { dry_run: true });
    expect(JSON.stringify(data)).toContain("ada");
    expect(JSON.stringify(data)).not.toContain("program");
  });

  it("a call uses the account that it names, and a dry run shows the account", async () => {
    const waybill = await waybillFor("program");
    const options = { account: "work" };
    expect((await waybill.execute("note.view", {}, options)).data).toEqual({ account: "work" });
    const { data } = await waybill.execute("note.view", {}, { ...options, dry_run: true });
    expect(data).toMatchObject({ requests: [{ account: "work" }] });
    expect((await waybill.explain("note.view")).accounts).toEqual(["home", "work"]);
  });

  it("a call with an account of another caller is refused, and the error lists the caller's own accounts", async () => {
    const waybill = await waybillFor("program");
    const ada = waybill.as({ id: "ada", scopes: [] });
    const { error } = await ada.execute("note.view", {}, { account: "work" });
    expect(error).toMatchObject({
      code: "VALIDATION",
      message: 'ada has no account "work" for note.view; none is connected',
      details: { hint: "Connect work" },
    });
    expect((await ada.explain("note.view")).accounts).toBeUndefined();
  });

  it("the calls that a handler makes use the account of its own call", async () => {
    const { spec, run } = await readOperation("program");
    const runAs = async ({ account }: AccountCaller) => (await readOperation(account!)).run;
    const accounts = { list: async () => ["work"], connectHint: () => "" };
    const outer = defineOperation({
      id: "note.outer",
      description: "",
      handler: async (_input, context) => (await context.call("note.view")).data,
    });
    const inner = { spec, run: runForCallers(run, { runAs, accounts }) };
    const waybill = createWaybill({ operations: [inner, outer] });
    const { data } = await waybill.execute("note.outer", {}, { account: "work" });
    expect(data).toEqual({ account: "work" });
  });

  it("the failure of a card's call has the details of the card, but not the details of the transport", async () => {
    const transport = { status: 409, phase: "answered", body: "x", errors: [], location: "/y" };
    const waybill = await waybillFor(fail("CONFLICT", "locked", { ...transport, seen: 1 }));
    const { error } = await waybill.execute("note.view");
    expect(error).toMatchObject({ code: "CONFLICT", message: "locked", details: { seen: 1 } });
    for (const name of Object.keys(transport)) expect(error?.details).not.toHaveProperty(name);
  });
});
