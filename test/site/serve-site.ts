import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { capture, root } from "../../scripts/run.mjs";

const HANGS_MS = 1_500_000;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Builds the site. VitePress also succeeds if a page failed to render, so its output is checked. */
async function buildSite(): Promise<string> {
  const { ok, output } = await capture("npm", ["run", "--silent", "site"], { timeout: HANGS_MS });
  if (!ok || /error/iu.test(output)) throw new Error(output);
  return join(root, "node_modules/.cache/waybill/site");
}

export interface Site {
  readonly address: string;
  close(): Promise<void>;
}

/** Serves the built site with addresses that have no `.html`, as a static host does. */
export async function serveSite(): Promise<Site> {
  const folder = await buildSite();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://site");
    const path = pathname.endsWith("/") ? `${pathname}index` : pathname;
    const file = extname(path) === "" ? `${path}.html` : path;
    readFile(join(folder, file)).then(
      (body) => response.writeHead(200, { "content-type": TYPES[extname(file)] }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
