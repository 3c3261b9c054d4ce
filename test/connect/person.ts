import { Writable } from "node:stream";
import { browse } from "../../packages/adapters/src/oauth/fixtures/browser.ts";
import { freePort } from "../support/free-port.ts";

/** A free address for the redirect of the browser. */
export async function freeRedirect(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}/callback`;
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
