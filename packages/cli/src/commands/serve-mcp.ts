import { Readable } from "node:stream";
import type { Waybill } from "@waybill/core";
import { serveMcpStdio } from "@waybill/mcp/server";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note } from "../io.ts";
import type { Io } from "../io.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { UsageError } from "../words/usage-error.ts";
import { version } from "../version.ts";
import { openCode, withWaybill } from "../waybill/index.ts";
import type { Opened } from "../waybill/index.ts";
import { servedTools } from "./serve-tools.ts";
import type { ServedTools } from "./serve-tools.ts";
import { auditIn } from "./serve-audit.ts";

/** Serves until the client disconnects, or the user interrupts. */
async function serve(
  waybill: Waybill,
  { options, hasCode }: ServedTools,
  { config, handles, upstream, client }: Opened,
  io: Io,
): Promise<void> {
  const stdin = Readable.from(io.stdin, { objectMode: false });
  const { stdout } = io;
  const programs = hasCode ? await openCode(config) : undefined;
  const code = programs === undefined ? {} : { code: programs };
  const onClient = (given: { readonly name: string; readonly version: string }): void => {
    client.agent = `${given.name} ${given.version}`;
  };
  const common = { waybill, version: version(), handles, upstream, onClient };
  const server = serveMcpStdio({ ...common, stdin, stdout, ...options, ...code });
  programs?.warm();
  await Promise.race([server.closed, untilInterrupted(io)]);
  await server.close();
  programs?.close();
}

/** Callers can search all capabilities, including unlisted ones. */
const SERVED = { unlisted: true };

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(
      `waybill serve mcp takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  }
  const tools = await servedTools(words, io);
  if (io.isTTY) {
    await note(io, "waybill: an MCP client starts this and talks over its stdin; Ctrl-C stops it");
  }
  try {
    const wanted = { ...SERVED, code: tools.code };
    await withWaybill(io, (waybill, opened) => serve(waybill, tools, opened, io), wanted, {
      isRecorded: true,
      via: "mcp",
      ...auditIn(words, io),
    });
  } finally {
    await tools.close();
  }
  return EXIT.ok;
};
