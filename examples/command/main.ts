// A manifest turns a program (git) into operations. Inputs are checked, and no shell is involved.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandSource, readManifest } from "@waybill/adapters/command";
import { createWaybill } from "@waybill/core";

const folder = mkdtempSync(join(tmpdir(), "waybill-git-"));
const git = (...argv: string[]): void => void execFileSync("git", argv, { cwd: folder });
git("init", "--quiet");
git("config", "user.name", "Example");
git("config", "user.email", "example@example.com");
writeFileSync(join(folder, "letter.txt"), "Dear reader\n");
git("add", "letter.txt");

const manifest = await readManifest(fileURLToPath(new URL("git.yaml", import.meta.url)));
const source = commandSource({ name: "git", manifest, env: process.env, cwd: folder });
const waybill = createWaybill({ sources: [source] });

// The message is passed on standard input, so git cannot read it as a flag, and other users cannot see it.
const message = "--amend is not a flag here";
const made = await waybill.execute("git.commit", { message });
console.log(JSON.stringify(made));
assert.equal(made.ok, true);

const log = await waybill.execute("git.log", { count: 1 });
console.log(JSON.stringify(log.data));
assert.deepEqual(log.data, [message]);

const shown = await waybill.execute("git.show", { path: "letter.txt" });
assert.equal(shown.data, "Dear reader\n");

const missing = await waybill.execute("git.show", { path: "none.txt" });
console.log(JSON.stringify(missing.error));
assert.equal(missing.error?.code, "NOT_FOUND");

const dry = await waybill.execute("git.commit", { message }, { dry_run: true });
console.log(JSON.stringify(dry.data));

await waybill.close();
rmSync(folder, { recursive: true });
