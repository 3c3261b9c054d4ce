import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHttpTransport } from "./index.ts";

// There is no public address to serve from here, so 127.0.0.1 plays one.
vi.mock(import("./addresses.ts"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    isPrivateAddress: (address: string) =>
      address !== "127.0.0.1" && original.isPrivateAddress(address),
  };
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

async function get(url: string) {
  const transport = createHttpTransport();
  onTestFinished(() => transport.close());
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
  ["name", (url: string) => url.replace("127.0.0.2", "localhost")],
])("a public host cannot send a read to a private %s", async (_what, named) => {
  inside.mockClear();
  const secret = await serve("127.0.0.2", inside);
  const direct = await serve("127.0.0.1", leadingTo(named(secret)));
  const detour = await serve("127.0.0.1", leadingTo(direct));
  for (const url of [direct, detour]) {
    await expect(get(url)).rejects.toMatchObject({ details: { code: "POLICY" } });
  }
  expect(inside).not.toHaveBeenCalled();
});

it("a private host can, and anyone to a public one", async () => {
  const target = await serve("127.0.0.2", inside);
  const near = await serve("127.0.0.3", leadingTo(target));
  const page = await serve("127.0.0.1", inside);
  const far = await serve("127.0.0.1", leadingTo(page));
  for (const url of [near, far]) expect((await get(url)).requests).toBe(2);
});
