import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHttpTransport } from "./index.ts";
import type { HttpTransport, HttpTransportOptions } from "./index.ts";
import { nextHop } from "./redirect.ts";

// This machine has no public address to serve from, so 127.0.0.1 stands for one.
vi.mock(import("./addresses.ts"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    isPrivateAddress: (address: string) =>
      address !== "127.0.0.1" && original.isPrivateAddress(address),
  };
});

// Names that resolve to internal and external addresses, independent of the machine's own resolver.
const NAMES: Readonly<Record<string, string>> = {
  "inside.test": "127.0.0.2",
  "outside.test": "127.0.0.1",
};
function resolve(host: string, _options: object, done: (...heard: unknown[]) => void): void {
  done(null, [{ address: NAMES[host] ?? host, family: 4 }]);
}
vi.mock(import("node:dns"), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, lookup: resolve as unknown as typeof original.lookup };
});

async function serve(host: string, handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await once(server.listen(0, host), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

const inside = vi.fn<RequestListener>((_request, response) => response.end("inside"));

function leadingTo(location: string): RequestListener {
  return (_request, response) => response.writeHead(302, { location }).end();
}

function open(options: HttpTransportOptions = {}): HttpTransport {
  const transport = createHttpTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

async function get(url: string, transport = open()) {
  return transport.send(
    { method: "GET", url },
    {
      effect: "read",
      isRepeatable: true,
      signal: new AbortController().signal,
      deadline: undefined,
      beforeSend: () => Promise.resolve(),
    },
  );
}

it.each([
  ["address", (url: string) => url],
  ["name", (url: string) => url.replace("127.0.0.2", "inside.test")],
])("a public host cannot redirect a read to a private %s", async (_what, named) => {
  inside.mockClear();
  const secret = await serve("127.0.0.2", inside);
  const direct = await serve("127.0.0.1", leadingTo(named(secret)));
  const detour = await serve("127.0.0.1", leadingTo(direct));
  for (const url of [direct, detour]) {
    await expect(get(url)).rejects.toMatchObject({ details: { code: "POLICY" } });
  }
  expect(inside).not.toHaveBeenCalled();
});

it("a public host cannot redirect to a private host over a connection that is already open", async () => {
  const transport = open();
  const secret = (await serve("127.0.0.2", inside)).replace("127.0.0.2", "inside.test");
  const direct = await serve("127.0.0.1", leadingTo(secret));
  expect((await get(secret, transport)).status).toBe(200);
  inside.mockClear();
  await expect(get(direct, transport)).rejects.toMatchObject({ details: { code: "POLICY" } });
  expect(inside).not.toHaveBeenCalled();
});

it("after a public host redirects a request, no later redirect of the request may lead to a private host", () => {
  const url = new URL("http://outside.test/");
  const hop = { method: "GET", url, socketPath: undefined, headers: {}, body: undefined };
  const moved = { status: 302, headers: { location: "http://inside.test/" } };
  const next = (isPublicOnly: boolean, isPrivate: boolean): boolean | undefined =>
    nextHop({ ...hop, isPublicOnly }, { ...moved, isPrivate: () => isPrivate }, true)?.isPublicOnly;
  expect([next(true, true), next(false, false), next(false, true)]).toEqual([true, true, false]);
});

it.each([[true], [["127.0.0.2", "127.0.0.3"]]])(
  "a private host cannot redirect a read to a link-local address, with allowPrivate %j",
  async (allowPrivate) => {
    const near = await serve("127.0.0.3", leadingTo("http://169.254.169.254/latest/meta-data"));
    await expect(get(near, open({ allowPrivate }))).rejects.toMatchObject({
      message: expect.stringContaining("which no source may reach") as string,
      details: { code: "POLICY" },
    });
  },
);

it("a private host can redirect a read to another private host only if allowPrivate names both hosts", async () => {
  const target = await serve("127.0.0.2", inside);
  const near = await serve("127.0.0.3", leadingTo(target));
  const both = open({ allowPrivate: ["127.0.0.2", "127.0.0.3"] });
  expect((await get(near, both)).requests).toBe(2);
  await expect(get(near, open({ allowPrivate: ["127.0.0.3"] }))).rejects.toMatchObject({
    details: { code: "POLICY" },
  });
});

it("a private host can redirect to a private host, and a public host to a public host", async () => {
  const target = await serve("127.0.0.2", inside);
  const near = await serve("127.0.0.3", leadingTo(target));
  const page = await serve("127.0.0.1", inside);
  const far = await serve("127.0.0.1", leadingTo(page));
  for (const url of [near, far]) expect((await get(url)).requests).toBe(2);
});
