import { findProjectConfig, findUserConfig, loadConfig } from "@waybill/state";
import { stateFolder } from "@waybill/state/files";
import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { collisionText, sourceAddress } from "../sources/describe.ts";
import { readCollisions } from "../waybill/index.ts";
import { broken, errorText, missingFinding, off, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

export interface Configured {
  /** The configuration in effect; if a file is broken, the default configuration. */
  readonly config: EffectiveConfig;
  readonly findings: readonly Finding[];
}

function without(env: Io["env"]): EffectiveConfig {
  const state = stateFolder(env);
  return {
    sources: {},
    places: {},
    replace: [],
    policy: {},
    hosts: {},
    packs: ["github", "graph"],
    state,
    untrusted: {},
    history: "off",
    warnings: [],
  };
}

/**
 * Reports a warning of the configuration. The warning itself names the fix, so the hint is general.
 */
function warned(warning: string): Finding {
  return missingFinding(
    "configuration",
    warning,
    "Review the file, then change it or run waybill trust",
  );
}

function untrustedFindings({ untrusted }: EffectiveConfig): Finding[] {
  return Object.entries(untrusted).map(([name, { kind, why, hint }]) =>
    missingFinding(`source ${name}`, `${kind}: ${why}`, hint),
  );
}

async function sourceFindings(io: Io, config: EffectiveConfig): Promise<Finding[]> {
  const found = Object.entries(config.sources).map(async ([name, source]) => {
    const collisions = await readCollisions(io, config, name, source).catch(() => []);
    return [
      ok(`source ${name}`, `${source.kind} ${sourceAddress(source)}; --online checks it`),
      ...collisions.map((collision) =>
        missingFinding(
          `source ${name}`,
          collisionText(collision),
          `Rename it in the cards, or let it keep the id with "replace": ["${collision.id}"] in your own configuration`,
        ),
      ),
    ];
  });
  return (await Promise.all(found)).flat();
}

/**
 * All configuration warnings except those about untrusted sources, which are reported one by one.
 */
function otherWarnings({ warnings }: EffectiveConfig): readonly string[] {
  return warnings.filter((warning) => !warning.includes("has sources that need trust"));
}

export async function lookAtConfiguration(io: Io): Promise<Configured> {
  const files = [findProjectConfig(io.cwd, io.env), findUserConfig(io.env)].filter(
    (path) => path !== undefined,
  );
  const named =
    files.length === 0
      ? [off("configuration", "no waybill.config.json here or in your home configuration")]
      : files.map((path) => ok("configuration", path));
  try {
    const config = await loadConfig(io);
    const findings = [
      ...named,
      ...otherWarnings(config).map(warned),
      ...untrustedFindings(config),
      ...(await sourceFindings(io, config)),
    ];
    return { config, findings };
  } catch (error) {
    const fix = "Fix the file; the message says where";
    return {
      config: without(io.env),
      findings: [broken("configuration", errorText(error), fix)],
    };
  }
}
