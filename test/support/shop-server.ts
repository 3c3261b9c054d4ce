import { PassThrough } from "node:stream";
import { main } from "waybill";
import { makeWorld } from "../../packages/cli/src/fixtures/world.ts";

/**
 * Starts `waybill serve http` for a project with a small shop. Sets variables with its address and
 * token.
 */
export async function serveShop(
  cleanUp: (undo: () => Promise<void>) => void,
): Promise<Record<"URL" | "TOKEN", string>> {
  const world = await makeWorld(cleanUp);
  const interruption = new AbortController();
  const stdout = new PassThrough({ encoding: "utf8" });
  const ended = main({
    argv: ["serve", "http"],
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: world.env,
    cwd: world.project,
    isTTY: false,
    signal: interruption.signal,
  });
  cleanUp(async () => {
    interruption.abort();
    await ended;
  });
  const said = await new Promise<string>((resolve) => stdout.once("data", resolve));
  const { url, token } = JSON.parse(said) as { url: string; token: string };
  return { URL: url, TOKEN: token };
}
