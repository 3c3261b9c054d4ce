import { createWaybill, defineOperation } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { RelayDesk, currentTalk } from "../relay/index.ts";
import type { RelayedQuestion, Talk } from "../relay/index.ts";
import { ERAS, call, connectTo } from "./fixtures/clients.ts";
import { createMcpHttpHandler } from "./index.ts";

const question = (message: string): RelayedQuestion => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties: {} } },
});

/** A client of a server with one operation. */
async function connectClient(
  era: (typeof ERAS)[number],
  handler: (talk: Talk) => unknown,
  elicit: (message: string) => string,
) {
  const operation = defineOperation({
    id: "person.ask",
    description: "Ask the person.",
    effect: "read",
    handler: () => handler(currentTalk()!),
  });
  const waybill = createWaybill({ operations: [operation] });
  const served = createMcpHttpHandler({ waybill, version: "1.0.0" });
  onTestFinished(async () => {
    await served.close();
    await waybill.close();
  });
  return connectTo(served, era, {
    elicit: (message) => ({ action: "accept", content: { answer: elicit(message) } }),
  });
}

const askThrice = (talk: Talk) =>
  Promise.all(["one", "two", "three"].map((each) => talk.ask(question(each))));

describe.each(ERAS)("questions of one call, protocol %s", (era) => {
  it("questions of operations that are asked at the same time reach the MCP client one after another", async () => {
    const client = await connectClient(era, askThrice, (message) => message.toUpperCase());
    const { envelope } = await call(client, "execute", { capability_id: "person.ask" });
    const answers = ["ONE", "TWO", "THREE"];
    expect(envelope.data).toEqual(
      answers.map((answer) => ({ action: "accept", content: { answer } })),
    );
  });

  it("a question that an operation does not wait for reaches the MCP client before the answer of the call", async () => {
    let answered: Promise<unknown> | undefined;
    const asks = (talk: Talk) => {
      answered = talk.ask(question("late?"));
      return "done";
    };
    const client = await connectClient(era, asks, () => "yes");
    const { envelope } = await call(client, "execute", { capability_id: "person.ask" });
    expect(envelope.data).toBe("done");
    expect(await answered).toMatchObject({ content: { answer: "yes" } });
  });

  it("a question of an operation after the end of its call is refused", async () => {
    const kept: Talk[] = [];
    const client = await connectClient(
      era,
      (talk) => kept.push(talk),
      () => "yes",
    );
    await call(client, "execute", { capability_id: "person.ask" });
    await expect(kept[0]?.ask(question("late?"))).rejects.toThrow("has ended");
  });
});

const makeTalk = (client: object, name: string): Talk => ({
  client,
  onProgress: () => {},
  ask: async ({ params }) => ({ answer: `${name} got ${String(params["message"])}` }),
});

const ask = (desk: RelayDesk) => desk.ask("elicitation/create", { message: "Salt?" });

describe("RelayDesk", () => {
  it("a question of an operation reaches its MCP client while several calls of that client are running", async () => {
    const desk = new RelayDesk("kitchen");
    const client = {};
    const [first, second] = [makeTalk(client, "first"), makeTalk(client, "second")];
    const answer = await desk.during(first, () => desk.during(second, () => ask(desk)));
    expect(answer).toEqual({ answer: "first got kitchen: Salt?" });
  });

  it("a question of an operation reaches its MCP client after another call of the same chain has ended", async () => {
    const desk = new RelayDesk("kitchen");
    const talk = makeTalk({}, "client");
    const answer = await desk.during(talk, async () => {
      await desk.during(talk, async () => {});
      return ask(desk);
    });
    expect(answer).toEqual({ answer: "client got kitchen: Salt?" });
  });

  it("a question of an operation is refused while calls of several MCP clients are running", async () => {
    const desk = new RelayDesk("kitchen");
    const [ada, bob] = [makeTalk({}, "ada"), makeTalk({}, "bob")];
    const both = desk.during(ada, () => desk.during(bob, () => ask(desk)));
    await expect(both).rejects.toThrow("several clients are calling it");
    await expect(ask(desk)).rejects.toThrow(
      "no client is calling, so nobody can answer. Call a tool, then it can ask",
    );
  });
});
