import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { fail } from "@waybill/core";
import { outsideText } from "@waybill/core/cards";
import { DEFAULT_REDIRECT_URL } from "./settings.ts";

/** The maximum number of characters of a refused address to show. */
const MAX_ADDRESS_SHOWN = 200;

export interface LoopbackOptions {
  /** Shows a page to the person at this machine. */
  readonly open: (page: URL) => void | Promise<void>;
  /** The redirect URL, with a port of this machine. */
  readonly redirectUrl?: string;
  /**
   * Waits for a URL that the person pastes, if the browser ran on another machine. The first URL
   * is used.
   */
  readonly pasted?: () => Promise<string>;
  /** How long a person may take (default: 5 min). */
  readonly timeoutMs?: number;
}

/**
 * Whether a request is the redirect of this sign-in. Any web page can send requests to this
 * machine, and a request without the right state must not end the sign-in.
 */
function isRedirect(address: URL, back: URL, page: URL): boolean {
  const [given, expected] = [address, page].map(({ searchParams }) => searchParams.get("state"));
  return address.pathname === back.pathname && given === expected;
}

/**
 * Checks the address of a sign-in page. The server chooses it, and a scheme other than http
 * would start a program or a script.
 */
export function webAddress(address: string | URL): string {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url.href;
  const shown = outsideText(String(address), MAX_ADDRESS_SHOWN);
  throw fail(
    "AUTH",
    `The server's sign-in page is not a web address, so it was not opened: ${shown}. Check the address of the server`,
    {
      outcome: "not_applied",
    },
  );
}

/** Opens a page in the browser, and listens on this machine for the redirect. */
export function loopbackAuthorize(options: LoopbackOptions): (page: URL) => Promise<string> {
  const back = new URL(options.redirectUrl ?? DEFAULT_REDIRECT_URL);
  return async (page) => {
    webAddress(page);
    const server = createServer();
    try {
      await listening(server, back);
      const returned = new Promise<string>((resolve) => {
        server.on("request", (request, response) => {
          const address = new URL(request.url ?? "/", back);
          const isBack = isRedirect(address, back, page);
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
    const message = `The redirect address ${href} is not available: another program listens on port ${port}. Stop that program, or pass another --redirect-url`;
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
