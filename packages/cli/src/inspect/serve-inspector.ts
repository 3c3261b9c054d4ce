import { randomBytes } from "node:crypto";
import type { Waybill } from "@waybill/core";
import type { InspectorOptions } from "@waybill/server";
import type { Io } from "../io.ts";
import { printJson, printText } from "../io.ts";
import { listen } from "../listen.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { version } from "../version.ts";
import { openBrowser, openerFor } from "./open-browser.ts";

const TOKEN_BYTES = 24;

export interface Inspection extends InspectorOptions {
  /** The Waybill for calls from the page, which are recorded as such. */
  readonly waybill: Waybill;
  readonly port?: number | undefined;
  /** Whether a browser may be opened for the person at the terminal. */
  readonly mayOpen: boolean;
}

/** Prints the address to open for a person, or JSON for a program. */
function printInspector(io: Io, url: string, token: string, page: string): Promise<void> {
  if (!io.isTTY) return printJson(io, { url, token, page });
  return printText(io, `The inspector is at ${page}\nCtrl-C ends it.`);
}

/** Serves the page until it is interrupted. Everyone with the printed address can open it. */
export async function serveInspector(io: Io, inspection: Inspection): Promise<void> {
  const { waybill, port, mayOpen, ...inspector } = inspection;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const server = await listen({
    waybill,
    version: version(),
    tokens: [{ token }],
    inspector,
    ...(port !== undefined && { port }),
  });
  let forget: (() => Promise<void>) | undefined;
  try {
    const page = `${server.url}/#token=${token}`;
    await printInspector(io, server.url, token, page);
    const opener = mayOpen ? openerFor(io) : undefined;
    if (opener !== undefined) forget = await openBrowser(opener, page, io.env);
    await untilInterrupted(io);
  } finally {
    await server.close();
    await forget?.();
  }
}
