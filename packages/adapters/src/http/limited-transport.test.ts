import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AccountGate } from "@waybill/core/cards";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpTransport, githubLimits, limitedTransport } from "./index.ts";
import type { HttpTransport } from "./index.ts";

const LIMITED = JSON.stringify({
  errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }],
});

/** GitHub's rules over a real connection; every answer has the given body and status 200. */
async function limitedBy(
  body: string,
): Promise<(path: string) => ReturnType<HttpTransport["send"]>> {
  const server = createServer((_request, response) => response.end(body));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const inner = createHttpTransport({ allowPrivate: true });
  onTestFinished(() => {
    inner.close();
    server.close();
  });
  const gate = new AccountGate({ account: () => "octo", name: "GitHub" });
  const transport = limitedTransport(inner, githubLimits(gate));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const attempt = {
    effect: "read",
    isRepeatable: true,
    signal: new AbortController().signal,
    // Shorter than the minute that GitHub asks for.
    deadline: Date.now() + 30_000,
    beforeSend: () => Promise.resolve(),
  } as const;
  return (path) => transport.send({ method: "GET", url: base + path }, attempt);
}

describe("the limits of GitHub", () => {
  it("a GraphQL response that reports a rate limit stops the next GraphQL request before it is sent", async () => {
    const send = await limitedBy(LIMITED);
    await send("/graphql");
    await expect(send("/graphql")).rejects.toMatchObject({
      details: { code: "RATE_LIMIT" },
    });
    expect((await send("/repos/octo/hello")).status).toBe(200);
  });

  it("a file response that quotes a rate limit error does not delay the next request", async () => {
    const send = await limitedBy(LIMITED);
    await send("/repos/octo/hello/contents/answer.json");
    expect((await send("/repos/octo/hello")).status).toBe(200);
  });

  it("a long GraphQL response that quotes a rate limit error does not delay the next request", async () => {
    const send = await limitedBy(`${LIMITED}${" ".repeat(20_000)}`);
    await send("/graphql");
    expect((await send("/graphql")).status).toBe(200);
  });
});
