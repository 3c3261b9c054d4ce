// @ts-check
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  assertNotes,
  joinNotes,
  nameNotes,
  readChangesets,
  removeChangesets,
} from "./changelog.mjs";
import { licenceList, refusedLicences, withBundled } from "./licences.mjs";
import { packAll } from "./pack.mjs";
import { root, run } from "./run.mjs";
import { call, makeProject } from "./try-packages.mjs";
import { writeVersionFiles } from "./version-files.mjs";

// Does everything for a release except the upload. "npm run release -- version" sets the version
// from the changesets and writes the changelog; commit that. "npm run release" then builds, checks,
// packs and describes it in release/<version>, and prints the commands for the upload.

/** @param {string} program @param {string[]} args */
function must(program, args) {
  console.log(`\n── ${program} ${args.join(" ")}`);
  if (run(program, args) !== 0) throw new Error(`${program} ${args.join(" ")} failed`);
}

/** @returns {string} */
function currentVersion() {
  const text = readFileSync(join(root, "packages/cli/package.json"), "utf8");
  return /** @type {{ version: string }} */ (JSON.parse(text)).version;
}

/** A release has a tag. Until then, further changes belong to the same version. @param {string} version */
function isReleased(version) {
  const tags = execFileSync("git", ["tag", "--list", `v${version}`], { cwd: root });
  return tags.length > 0;
}

function setVersion() {
  if (readChangesets().length === 0)
    throw new Error("There is no changeset, so there is nothing to release");
  assertNotes();
  const today = new Date().toISOString().slice(0, 10);
  if (isReleased(currentVersion())) {
    must("npx", ["changeset", "version"]);
    nameNotes(currentVersion(), today);
  } else {
    joinNotes(currentVersion(), today);
    removeChangesets();
  }
  writeVersionFiles(currentVersion());
  must("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"]);
  must("npm", ["run", "--silent", "generate"]);
  must("npx", ["oxfmt", "CHANGELOG.md"]);
  console.log(`\nVersion ${currentVersion()}. Check the changelog, and commit.`);
}

async function prepareRelease() {
  const version = currentVersion();
  const folder = join(root, "release", version);
  must("npm", ["run", "--silent", "build"]);
  must("npm", ["run", "--silent", "package-check"]);
  const tarballs = await packAll(folder);
  describeRelease(folder, tarballs);
  writeFileSync(join(folder, "SHA256SUMS"), tarballs.map(checksum).join(""));
  const uploads = tarballs.map((file) => `npm publish ${file} --provenance --access public`);
  console.log(
    [
      "\nReady. To upload it:",
      ...uploads,
      `git tag v${version} && git push --tags`,
      "mcp-publisher publish",
    ].join("\n"),
  );
}

/** @param {string} file */
function checksum(file) {
  return `${createHash("sha256").update(readFileSync(file)).digest("hex")}  ${basename(file)}\n`;
}

/**
 * The bill of materials is created from an install, so that it lists what users get. @param
 * {string} folder @param {string[]} tarballs
 */
function describeRelease(folder, tarballs) {
  const project = makeProject(join(folder, "project"), process.execPath);
  // npm describes only a project that has a name and a version.
  const manifest = { name: "waybill-release", version: currentVersion(), private: true };
  writeFileSync(join(project.folder, "package.json"), JSON.stringify(manifest));
  const installed = call(project, "npm", ["install", "--no-audit", "--no-fund", ...tarballs]);
  if (installed.code !== 0) throw new Error(installed.output);
  const described = call(project, "npm", ["sbom", "--sbom-format", "cyclonedx"]);
  if (described.code !== 0) throw new Error(described.output);
  rmSync(project.folder, { recursive: true, force: true, maxRetries: 5 });
  const sbom = withBundled(JSON.parse(described.stdout));
  const refused = refusedLicences(sbom).map(({ name }) => name);
  if (refused.length > 0)
    throw new Error(
      `Check the licence of ${refused.join(", ")}: scripts/licences.mjs does not allow it`,
    );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(join(folder, "LICENCES.md"), licenceList(sbom));
}

const isClean =
  execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) === "";
if (!isClean && !process.argv.includes("--dirty")) {
  console.error("Commit your changes first, or add --dirty to try it.");
  process.exitCode = 1;
} else if (process.argv.includes("version")) setVersion();
else await prepareRelease();
