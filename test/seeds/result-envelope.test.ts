import { createWaybill, defineOperation, mcpEnvelope } from "@waybill/core";
import { oneRouteOperation } from "@waybill/core/cards";
import { describe, expect, it } from "vitest";

describe("meta.attempts: the status is the result of the attempt", () => {
  it("a tool that answered isError is an attempt with status error", async () => {
    const response = mcpEnvelope([], {
      isError: true,
      content: [{ type: "text", text: "bad thing" }],
    });
    const tool = oneRouteOperation({
      spec: {
        id: "tool.call",
        description: "Calls a tool",
        effect: "read",
        idempotent: true,
        kind: "call",
        parameters: [],
        inputSchema: {},
        outputSchema: {},
      },
      route: "mcp",
      host: "",
      send: () => Promise.resolve({ response, upstreamRequests: 1 }),
      describe: () => ({}),
    });
    const { ok, error, meta } = await createWaybill({ operations: [tool] }).execute("tool.call");
    expect(ok).toBe(false);
    expect(error).toMatchObject({ code: "UNKNOWN", message: "bad thing" });
    expect(meta.attempts).toMatchObject([{ route: "mcp", status: "error", error_code: "UNKNOWN" }]);
  });
});

describe("meta.cost", () => {
  it("counts the tokens of the question and of the answer", async () => {
    const echo = defineOperation({
      id: "text.echo",
      description: "Answers what it gets",
      effect: "read",
      handler: (input) => input,
    });
    const waybill = createWaybill({ operations: [echo] });
    const short = await waybill.execute("text.echo", { text: "a" }, { trace: true });
    const long = await waybill.execute("text.echo", { text: "a b c ".repeat(50) }, { trace: true });
    expect(short.meta.cost?.tokens_in).toBeGreaterThan(2);
    expect(long.meta.cost?.tokens_in).toBeGreaterThan(short.meta.cost!.tokens_in! + 50);
    expect(long.meta.cost?.tokens_out).toBeGreaterThan(50);
  });
});
