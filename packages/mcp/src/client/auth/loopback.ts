import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { fail } from "@waybill/core";
import { DEFAULT_REDIRECT_URL } from "./settings.ts";

export interface LoopbackOptions {
  /** Shows a page to the person at this machine. */
  readonly open: (page: URL) => void | Promise<void>;
  /** Must have a port of this machine. */
  readonly redirectUrl?: string;
  /**
   * Waits for a URL that the person pastes, if the browser ran elsewhere. The first URL is used.
   */
  readonly pasted?: () => Promise<string>;
  /** How long a person may take (default: 5 min). */
  readonly timeoutMs?: number;
}

/** Opens a page in the browser, and listens on this machine for the redirect. */
export function loopbackAuthorize(options: LoopbackOptions): (page: URL) => Promise<string> {
  const back = new URL(options.redirectUrl ?? DEFAULT_REDIRECT_URL);
  return async (page) => {
    const server = createServer();
    try {
      await listening(server, back);
      const returned = new Promise<string>((resolve) => {
        server.on("request", (request, response) => {
          const address = new URL(request.url ?? "/", back);
          const isBack = address.pathname === back.pathname;
          response.writeHead(isBack ? 200 : 404, { "content-type": "text/plain" });
          response.end(isBack ? "You are signed in and can close this page.\n" : "");
          if (isBack) resolve(address.href);
        });
      });
      await options.open(page);
      const late = givenUp(options.timeoutMs ?? 300_000);
      return await Promise.race([returned, ...(options.pasted ? [options.pasted()] : []), late]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
}

async function listening(server: Server, { port, hostname, href }: URL): Promise<void> {
  try {
    await once(server.listen(Number(port), hostname), "listening");
  } catch (cause) {
    const message = `The redirect address ${href} is not available: another program listens on port ${port}`;
    throw fail("AUTH", message, { outcome: "not_applied" }, { cause });
  }
}

function givenUp(milliseconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => {
      reject(
        fail("AUTH", "The sign-in was not completed in time. Run the command again", {
          outcome: "not_applied",
        }),
      );
    }, milliseconds).unref();
  });
}
