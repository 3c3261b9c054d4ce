import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../io.ts";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "open",
  linux: "xdg-open",
};

function hasDisplay(env: Io["env"], platform: NodeJS.Platform): boolean {
  if (platform !== "linux") return true;
  return [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some((name) => (name ?? "") !== "");
}

/** The program that opens a browser for the user; undefined without a display. */
export function openerFor(
  { isTTY, env }: Pick<Io, "isTTY" | "env">,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const isWatched = isTTY && (env["CI"] ?? "") === "" && hasDisplay(env, platform);
  return isWatched ? OPENERS[platform] : undefined;
}

/**
 * Escapes an address for use in an HTML attribute, because servers choose some of the addresses.
 */
function attributeText(address: string): string {
  return address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/**
 * Opens an address in a browser. The address contains a token, and all users can read command
 * lines, so it is passed in a file. Returns a function that removes the file.
 */
export async function openBrowser(
  opener: string,
  address: string,
  env: Io["env"],
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-inspect-"));
  const file = join(folder, "open.html");
  const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${attributeText(address)}">`;
  await writeFile(file, page, { mode: 0o600 });
  const child = spawn(opener, [file], { detached: true, stdio: "ignore", env: { ...env } });
  // If no browser opens, the user can still use the address in the terminal.
  child.on("error", () => {});
  child.unref();
  return () => rm(folder, { recursive: true, force: true });
}
