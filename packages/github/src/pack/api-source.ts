import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { githubLimits, limitedTransport } from "@waybill/adapters/http";
import type { HttpTransport } from "@waybill/adapters/http";
import { openapiSource } from "@waybill/adapters/openapi";
import { placedSource } from "@waybill/core/cards";
import type { HandleStore, Source } from "@waybill/core";
import { PACKED_DESCRIPTION } from "../description/index.ts";
import { githubGate } from "./gate.ts";
import { findMeantIds } from "./meant-ids.ts";
import { missingParts } from "./incompleteness.ts";
import type { GithubSurroundings } from "./surroundings.ts";
import { howToSignIn, uploadsUrl } from "./github-host.ts";
import type { GithubHost } from "./github-host.ts";
import { withFlatInputs } from "./raw-input.ts";

const unpack = promisify(brotliDecompress);

async function readDescription(): Promise<Uint8Array> {
  return unpack(await readFile(PACKED_DESCRIPTION));
}

/** Sends every request through the socket, whatever its host. */
function through(transport: HttpTransport, socketPath: string | undefined): HttpTransport {
  if (socketPath === undefined) return transport;
  return {
    isLimited: transport.isLimited,
    send: (request, attempt) => transport.send({ ...request, socketPath }, attempt),
    stream: (request, attempt) => transport.stream({ ...request, socketPath }, attempt),
    get openSockets() {
      return transport.openSockets;
    },
    close: () => transport.close(),
  };
}

/**
 * GitHub's whole REST API as `github.<tag>.<operation>`, for operations without a card. The API
 * description is decompressed at the first search or call.
 */
export function githubApiSource(
  place: GithubHost,
  around: GithubSurroundings & { readonly handles?: HandleStore },
): Source {
  const { restUrl, token, socketPath, warning, host } = place;
  const { userAgent, handles, gate = githubGate(place) } = around;
  const transport = limitedTransport(around.transport, githubLimits(gate));
  const api = openapiSource({
    name: "github",
    document: readDescription,
    server: restUrl,
    otherServers: { "https://uploads.github.com": uploadsUrl(place) },
    credentials: { "*": token },
    exposed: false,
    transport: through(transport, socketPath),
    userAgent,
    signInHint: howToSignIn(host),
    ...(handles !== undefined && { handles }),
    warningsFor: ({ headers }, data) => [
      ...(warning === undefined ? [] : [warning]),
      ...missingParts(data, headers),
    ],
  });
  return placedSource(withFlatInputs(api), { origin: "pack", raw: true, meantIds: findMeantIds });
}
