import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { sharedBundle } from "../../../../../test/support/shared-bundle.ts";
import { fail } from "../../envelope/index.ts";
import { createWaybill } from "../index.ts";
import { defineOperation } from "../../operation/index.ts";

const send = defineOperation({
  id: "mail.send",
  description: "Send a mail.",
  input: { type: "object", required: ["to"], properties: { to: { type: "string" } } },
  handler: () => {
    throw fail("RATE_LIMIT", "too many mails", { outcome: "not_applied", retry_after_ms: 5 });
  },
});

/**
 * A write that calls another operation after it has done its own part. The other operation
 * fails.
 */
function place(task: string, input: unknown) {
  return defineOperation({
    id: "order.place",
    description: "Place an order.",
    handler: async (_input, context) => (await context.call(task, input)).data,
  });
}

async function placed(task: string, input: unknown) {
  const waybill = createWaybill({ operations: [send, place(task, input)] });
  return (await waybill.execute("order.place")).error;
}

function looking(task: string) {
  return defineOperation({
    id: "order.place",
    description: "Place an order.",
    handler: async (_input, context) => (await context.look(task)).data,
  });
}

describe("context.look", () => {
  it("context.look of a handler cannot run a write, directly or through a read", async () => {
    let sent = 0;
    const write = defineOperation({
      id: "mail.note",
      description: "Note it.",
      handler: () => (sent += 1),
    });
    const read = defineOperation({
      id: "mail.list",
      description: "List mails, it says.",
      effect: "read",
      handler: async (_input, context) => (await context.call("mail.note")).data,
    });
    for (const task of ["mail.note", "mail.list"]) {
      const waybill = createWaybill({ operations: [write, read, looking(task)] });
      const { error } = await waybill.execute("order.place");
      expect(error?.code).toBe("POLICY");
      expect(error?.details?.["hint"]).toContain("context.call");
    }
    expect(sent).toBe(0);
  });
});

describe("failure of a nested call", () => {
  it("a write has an unknown outcome even if a call inside its handler fails as not applied", async () => {
    expect(await placed("mail.send", { to: "ada" })).toMatchObject({
      code: "RATE_LIMIT",
      retryable: false,
      details: { outcome: "unknown", retry_after_ms: 5 },
    });
  });

  it.each([
    [
      "an input",
      "mail.send",
      { too: "ada" },
      ["VALIDATION", /^Invalid input for mail\.send: \/too/u],
      { id: "mail.send", issues: [{ path: "/too", did_you_mean: "to" }, { path: "/to" }] },
    ],
    [
      "an id",
      "mail.sent",
      {},
      ["NOT_FOUND", /^No operation is called "mail\.sent"/u],
      { id: "mail.sent", did_you_mean: ["mail.send"] },
    ],
  ] as const)(
    "the error of a call names the nested call if the handler misspelt %s",
    async (_what, task, input, said, call) => {
      const [code, message] = said;
      const error = await placed(task, input);
      expect(error).toMatchObject({ code, details: { outcome: "unknown", call } });
      expect(error?.message).toMatch(message);
      expect(error?.details).not.toHaveProperty("issues");
      expect(error?.details).not.toHaveProperty("did_you_mean");
    },
  );

  it("the error of a call names the innermost of several nested calls", async () => {
    const outer = defineOperation({
      id: "shop.buy",
      description: "Buy something.",
      handler: async (_input, context) => (await context.call("order.place")).data,
    });
    const waybill = createWaybill({ operations: [send, place("mail.send", { too: "a" }), outer] });
    expect((await waybill.execute("shop.buy")).error).toMatchObject({
      code: "VALIDATION",
      details: { call: { id: "mail.send" }, outcome: "unknown" },
    });
  });

  it("a failed nested call that the handler does not await does not end the process", async () => {
    const index = await sharedBundle(new URL("../../index.ts", import.meta.url));
    const program = `
      import { OperationRegistry, defineOperation } from ${JSON.stringify(index)};
      const registry = new OperationRegistry();
      const hang = () => new Promise(() => {});
      registry.register(defineOperation({ id: "a.hang", description: "", handler: hang }));
      registry.register(defineOperation({ id: "a.both", description: "", handler: async (_, c) => {
        const [one, two] = [c.call("a.hang"), c.call("a.hang")];
        return [await one, await two];
      } }));
      const deadline = Date.now() + 30;
      await registry.execute("a.both", {}, { deadline }).catch((error) => console.log(error.code));
      await new Promise((resolve) => setTimeout(resolve, 20));
      console.log("alive");
    `;
    const args = ["--input-type=module", "-e", program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split("\n")).toEqual(["TIMEOUT", "alive"]);
  });
});
