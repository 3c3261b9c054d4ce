import { dirname, resolve } from "node:path";
import { commandSource, readManifest } from "@waybill/adapters/command";
import { isRecord } from "@waybill/core/schema";
import type { Source } from "@waybill/core";
import type { CommandSourceConfig } from "@waybill/state";
import type { Surroundings } from "./surroundings.ts";

/**
 * A path to the program is relative to the manifest. If it were relative to the current folder, a
 * clone could replace the program.
 */
function besideManifest(manifest: unknown, path: string): unknown {
  const program = isRecord(manifest) ? manifest["program"] : undefined;
  if (typeof program !== "string" || !/[/\\]/u.test(program)) return manifest;
  return { ...(manifest as object), program: resolve(dirname(path), program) };
}

/**
 * The folder in which a program runs. The scripts that a project's manifest names are trusted in
 * the project's folder, so a program must not find other ones in the current folder.
 */
function workingFolder(name: string, { cwd, places }: Surroundings): string {
  const place = places[name];
  return place?.origin === "project" ? dirname(place.path) : cwd;
}

/** A source from a program's manifest. */
export async function openSource(
  name: string,
  { manifest: path, cwd }: CommandSourceConfig,
  around: Surroundings,
): Promise<Source> {
  const manifest = besideManifest(await readManifest(path), path);
  const { env, handles } = around;
  return commandSource({ name, manifest, env, handles, cwd: cwd ?? workingFolder(name, around) });
}
