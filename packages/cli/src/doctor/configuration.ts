import { findProjectConfig, findUserConfig, loadConfig, stateFolder } from "@waybill/local";
import type { EffectiveConfig } from "@waybill/local";
import type { Io } from "../io.ts";
import { placeOf } from "../sources/describe.ts";
import { broken, messageOf, missing, off, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

export interface Configured {
  /** What counts here; where a file is broken, what would count without any. */
  readonly config: EffectiveConfig;
  readonly findings: readonly Finding[];
}

function without(env: Io["env"]): EffectiveConfig {
  const state = stateFolder(env);
  return {
    sources: {},
    policy: {},
    hosts: {},
    packs: ["github", "graph"],
    state,
    untrusted: {},
    history: "off",
    warnings: [],
  };
}

/** Each warning says itself what to do, after the colon or in its words. */
function untrusted(warning: string): Finding {
  return missing("trust", warning, "Look at the file, then: waybill trust");
}

function sourceFindings({ sources }: EffectiveConfig): Finding[] {
  return Object.entries(sources).map(([name, source]) =>
    ok(`source ${name}`, `${source.kind} ${placeOf(source)}; --online reads it`),
  );
}

export async function lookAtConfiguration(io: Io): Promise<Configured> {
  const files = [findProjectConfig(io.cwd), findUserConfig(io.env)].filter(
    (path) => path !== undefined,
  );
  const named =
    files.length === 0
      ? [off("configuration", "no waybill.config.json here, and none of the user's")]
      : files.map((path) => ok("configuration", path));
  try {
    const config = await loadConfig(io);
    const findings = [...named, ...config.warnings.map(untrusted), ...sourceFindings(config)];
    return { config, findings };
  } catch (error) {
    const mend = "Mend the file; the message says where";
    return {
      config: without(io.env),
      findings: [broken("configuration", messageOf(error), mend)],
    };
  }
}
