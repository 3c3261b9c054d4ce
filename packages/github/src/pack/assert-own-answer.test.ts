import { createServer, request as forward } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill, memoryJournal } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { cases } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { findGithub } from "./find-github.ts";
import { githubSource } from "./source.ts";

/** The answer that a gateway gives to one request. Undefined passes the request on to GitHub. */
type Gateway = (message: IncomingMessage) => readonly [status: number, body: string] | undefined;

function passOn(message: IncomingMessage, response: ServerResponse, socketPath: string): void {
  const { method, url: path, headers } = message;
  const sent = forward({ socketPath, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  message.pipe(sent);
}

/** A GitHub behind a gateway, which answers some requests itself. */
async function startBehind(gateway: Gateway): Promise<Embedded> {
  const embedded = await startEmbedded({
    waybill: { journal: memoryJournal() },
    front: async (socket, githubSocket) => {
      const server = createServer((message, response) => {
        const own = gateway(message);
        if (own === undefined) return passOn(message, response, githubSocket);
        response.writeHead(own[0], { "content-type": "application/json" }).end(own[1]);
      });
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      onTestFinished(() => void server.close());
    },
  });
  onTestFinished(() => embedded.close());
  return embedded;
}

async function callCase(id: string, { github, waybill }: Embedded): Promise<ResultEnvelope> {
  const { prepare, params } = cases.find((each) => each.id === id)!;
  prepare?.(github);
  const input = typeof params === "function" ? params(github) : params;
  return waybill.execute(id, { ...input }, { route: "rest", idempotency_key: "key-1" });
}

const UNKNOWN = { outcome: "unknown", probe: expect.stringMatching(/^The probe/) as string };

describe("answers of a server that is not GitHub", () => {
  it.each(["label.create", "label.delete", "issue.lock", "release.update"])(
    "the write %s is unknown if a gateway answers the write, and the read that verifies it, with status 200",
    async (id) => {
      const world = await startBehind(() => [200, '{"name":"gateway","status":"ok"}']);
      const { error } = await callCase(id, world);
      expect(error?.details).toMatchObject(UNKNOWN);
      expect(world.github.applied()).toEqual({});
    },
  );

  it.each(["release.delete", "variable.delete", "secret.delete"])(
    "the write %s is unknown if a gateway answers 404 for the object and 200 for its repository",
    async (id) => {
      let hasFailed = false;
      const world = await startBehind(({ method, url = "" }) => {
        if (method === "DELETE") {
          hasFailed = true;
          return [502, "{}"];
        }
        if (!hasFailed) return undefined;
        return url.split("/").length > 4 ? [404, '{"error":"no route"}'] : [200, '{"ok":true}'];
      });
      const { error } = await callCase(id, world);
      expect(error?.details).toMatchObject(UNKNOWN);
      expect(world.github.applied()).toEqual({});
    },
  );

  it("a write is successful if a GitHub emulator at WAYBILL_GITHUB answers without GitHub's headers", async () => {
    const server = createServer((message, response) => {
      const label = { node_id: "L_1", name: "bug", color: "ff0000", description: null };
      message.resume().on("end", () => response.writeHead(201).end(JSON.stringify(label)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { WAYBILL_GITHUB: `http://127.0.0.1:${port}` };
    const place = await findGithub({ env, configured: undefined, state: "/nowhere" });
    const transport = createHttpTransport();
    onTestFinished(() => transport.close());
    const sources = [githubSource(place, { env, transport, userAgent: "test" })];
    const waybill = createWaybill({ sources, policy: { confirm: "none" } });
    onTestFinished(() => waybill.close());
    const input = { owner: "octo", name: "hello", label: "bug", color: "ff0000" };
    const { error, data } = await waybill.execute("label.create", input, { route: "rest" });
    expect(error).toBeNull();
    expect(data).toMatchObject({ name: "bug" });
  });
});
