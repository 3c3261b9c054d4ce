import { commandSource, readManifest } from "@waybill/adapters/command";
import type { Source } from "@waybill/core";
import type { CommandSourceConfig } from "@waybill/state";
import type { Surroundings } from "./surroundings.ts";

/** A source from a program's manifest. */
export async function openSource(
  name: string,
  { manifest: path, cwd }: CommandSourceConfig,
  around: Surroundings,
): Promise<Source> {
  const manifest = await readManifest(path);
  const { env, handles } = around;
  return commandSource({ name, manifest, env, handles, cwd: cwd ?? around.cwd });
}
