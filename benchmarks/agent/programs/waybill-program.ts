import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The bundled command, which is what users have; or its source, where nothing was built. */
export type Build = "bundle" | "source";

const CLI = fileURLToPath(new URL("../../../packages/cli", import.meta.url));

function wordsOf(build: Build): string[] {
  if (build === "bundle") return [join(CLI, "dist/main.cjs")];
  return [
    "-C",
    "@waybill/source",
    "--import",
    import.meta.resolve("tsx"),
    join(CLI, "src/main.ts"),
  ];
}

/** Puts `waybill` into a folder, to be found by name. */
export function installWaybill(folder: string, build: Build): void {
  const words = [process.execPath, ...wordsOf(build)].map((word) => `'${word}'`).join(" ");
  const file = join(folder, "waybill");
  writeFileSync(file, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(file, 0o755);
}
