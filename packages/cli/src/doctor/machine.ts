import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareVersions } from "@waybill/core/cards";
import { examineJournal, hasSqlite, Seal } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import type { EffectiveConfig } from "@waybill/state";
import { whereKept } from "../connect/where-kept.ts";
import { broken, errorText, missingFinding, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

const OLDEST_NODE = "20.19.0";

export function lookAtNode(version = process.versions.node): Finding {
  return compareVersions(version, OLDEST_NODE) >= 0
    ? ok("node", version)
    : broken("node", `${version} is too old`, `Install Node ${OLDEST_NODE} or newer`);
}

/**
 * Without a journal, only writes with an idempotency key are refused, because they could not be
 * recorded.
 */
export async function lookAtState({ state }: EffectiveConfig): Promise<Finding> {
  if (!(await hasSqlite())) {
    const system = `${process.platform}-${process.arch}`;
    const says = `${state}, without a journal: the SQLite binary for ${system} is not installed. Reads work; a write with an idempotency key is refused.`;
    return missingFinding(
      "state",
      says,
      "Install Waybill again; for Windows on arm64 there is no binary",
    );
  }
  const problem = await examineJournal(stateFiles(state).journal);
  if (problem === undefined) return ok("state", `${state}, with the journal of writes`);
  return broken("state", problem.message, problem.details.hint ?? "");
}

/** Where the tokens of connected sources are stored, and how they are protected. */
export async function lookAtConnections(
  { state }: EffectiveConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  return ok("connections", whereKept(await new Seal({ env }).kind(), state));
}

const SAMPLES = {
  "sample.ts": "export function sample() {}\n",
  "sample.py": "def sample(): pass\n",
  "sample.go": "package sample\nfunc sample() {}\n",
} as const;

/**
 * Parses a real file to check the parsers, because they are native code or WebAssembly and may fail
 * to load.
 */
async function parsedSamples(folder: string): Promise<string> {
  for (const [name, text] of Object.entries(SAMPLES)) await writeFile(join(folder, name), text);
  const { openGraphTools } = await import("@waybill/codegraph");
  const tools = openGraphTools({ root: folder });
  try {
    return JSON.stringify(await tools.call("graph_search", { query: "sample" }));
  } finally {
    await tools.close();
  }
}

export async function lookAtCodeGraph(): Promise<Finding> {
  const fix = "Install Waybill again for this system, with its parsers";
  const folder = await mkdtemp(join(tmpdir(), "waybill-doctor-"));
  try {
    const found = await parsedSamples(folder);
    const lost = Object.keys(SAMPLES).filter((name) => !found.includes(`"path":"${name}"`));
    if (lost.length > 0) return missingFinding("code graph", `cannot read ${lost.join(", ")}`, fix);
    return ok("code graph", "reads TypeScript, JavaScript, Python and Go");
  } catch (error) {
    return missingFinding("code graph", errorText(error), fix);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
