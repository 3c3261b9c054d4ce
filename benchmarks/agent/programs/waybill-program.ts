import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The bundled command, as users have it, or another file if there is no build. */
export type Build = "bundle" | { readonly file: string };

const CLI = fileURLToPath(new URL("../../../packages/cli", import.meta.url));

/** Puts `waybill` into a folder that is on the PATH. */
export function installWaybill(folder: string, build: Build): void {
  const program = build === "bundle" ? join(CLI, "dist/main.cjs") : build.file;
  const words = [process.execPath, program].map((word) => `'${word}'`).join(" ");
  const file = join(folder, "waybill");
  writeFileSync(file, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(file, 0o755);
}
