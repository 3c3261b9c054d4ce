import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { browse } from "../../packages/adapters/src/oauth/fixtures/browser.ts";

/** A port that was just free, for the redirect of the browser. */
export async function freeRedirect(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}/callback`;
}

/** A person whose browser opens every page that the command prints. */
export function watching(): { stderr: Writable; seen: () => string } {
  let text = "";
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      const page = /(?:Sign in with a browser:|or open) (\S+)/u.exec(chunk.toString())?.[1];
      if (page !== undefined) browse(page).catch(() => {});
      done();
    },
  });
  return { stderr, seen: () => text };
}
