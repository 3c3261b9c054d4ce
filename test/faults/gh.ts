// Runs the real GitHub CLI. The trail decides which fault each request gets.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ghRoute } from "@waybill/adapters/command";
import type { CardRequest, CardRoute } from "@waybill/core/cards";
import type { Fault } from "./faults.ts";
import { nextFault } from "./trail.ts";
import { FAULT_COMMENT, FAULT_HEADER } from "./upstream.ts";
import type { Upstream } from "./upstream.ts";

/** A `gh` whose configuration names a Unix socket. */
async function ghAt(folder: string, name: string): Promise<{ socket: string; route: CardRoute }> {
  const configDir = join(folder, name);
  const socket = join(configDir, "s");
  await mkdir(configDir);
  await writeFile(join(configDir, "config.yml"), `http_unix_socket: ${socket}\n`);
  const env = { PATH: process.env["PATH"] ?? "" };
  const token = "ghp_aTokenForTheUpstream";
  return { socket, route: ghRoute({ env, token, socketConfigDir: configDir }) };
}

function faulty(request: CardRequest, { name }: Fault): CardRequest {
  if (request.kind === "rest")
    return { ...request, headers: { ...request.headers, [FAULT_HEADER]: name } };
  if (request.kind === "command") return request;
  return { ...request, document: `${FAULT_COMMENT}${name}\n${request.document}` };
}

export async function faultyGh(upstream: Upstream, folder: string): Promise<CardRoute> {
  const { socket, route } = await ghAt(folder, "gh");
  const nowhere = await ghAt(folder, "nowhere");
  await upstream.serveAt(socket);
  return {
    route: "cli",
    needs: route.needs,
    describe: (request) => route.describe(request),
    send(request, attempt) {
      const fault = nextFault({
        face: request.kind === "graphql" ? "graphql" : "rest",
        carrier: "gh",
        isRead: attempt.effect === "read",
        text: JSON.stringify(request),
      });
      if (fault === undefined) return route.send(request, attempt);
      if (fault.act.at === "connect") return nowhere.route.send(request, attempt);
      return route.send(faulty(request, fault), attempt);
    },
  };
}
