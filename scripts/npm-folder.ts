import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

function isInstalled(folder: string, wanted: string): boolean {
  const at = wanted.lastIndexOf("@");
  const file = join(folder, "node_modules", wanted.slice(0, at), "package.json");
  if (!existsSync(file)) return false;
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version === wanted.slice(at + 1);
}

/** Installs packages with exact versions into a folder, without running their scripts. */
export function installInto(folder: string, packages: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const missing = packages.filter((wanted) => !isInstalled(folder, wanted));
  if (missing.length === 0) return;
  console.log(`installing ${missing.join(", ")} into ${folder}`);
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  const args = ["install", ...flags, "--legacy-peer-deps", ...missing];
  execFileSync("npm", args, { cwd: folder, stdio: "inherit" });
}
