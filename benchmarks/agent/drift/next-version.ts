import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const BUMPS = ["patch", "minor", "major"] as const;

/** The largest version bump in the unreleased changesets. */
function pendingBump(root: string): (typeof BUMPS)[number] | undefined {
  const folder = join(root, ".changeset");
  if (!existsSync(folder)) return undefined;
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => readFileSync(join(folder, name), "utf8").split("---")[1] ?? "");
  return BUMPS.findLast((bump) => texts.some((text) => new RegExp(`: *${bump}\\b`).test(text)));
}

/** The version of the next release. All packages are released together, so any changeset counts. */
export function nextVersion(root: string, version: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => parseInt(part, 10));
  switch (pendingBump(root)) {
    case "major":
      return `${major + 1}.0.0`;
    case "minor":
      return `${major}.${minor + 1}.0`;
    case "patch":
      return `${major}.${minor}.${patch + 1}`;
    default:
      return version;
  }
}
