import { readFileSync } from "node:fs";

let known: string | undefined;

/**
 * The package's version, from its manifest, which is beside both `src` and `dist`. In a bundle it
 * is a constant.
 */
export function version(): string {
  known ??= readVersion();
  return known;
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
