import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { graphSource } from "@waybill/codegraph";
import { createWaybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator, World } from "@waybill/github/emulator";
import { sum } from "../figures/index.ts";
import { ghToolbox } from "./gh-toolbox.ts";
import type { Door } from "./played.ts";
import type { Place } from "./run-model.ts";
import { waybillToolbox } from "./waybill-toolbox.ts";

export interface EmbeddedOptions {
  /** The skill that a model reads before it uses Waybill. */
  readonly skill: string;
  readonly world?: World;
  readonly clock?: () => Date;
  /** The folder of the code base, for questions about code. */
  readonly code?: string | undefined;
  /** Why the answer or GitHub's state is wrong. */
  readonly judge: (answer: string, github: GithubEmulator) => Promise<string | undefined>;
}

/** Clean-up functions, run in reverse order. */
class Undo {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  async all(): Promise<void> {
    for (const step of this.#steps.toReversed()) await step();
  }
}

async function openSources(github: GithubEmulator, state: string, code: string | undefined) {
  const place = await findGithub({ env: { WAYBILL_GITHUB: github.env }, state });
  const transport = createHttpTransport();
  const around = { env: process.env, transport, userAgent: "waybill-benchmark" };
  const graph = code === undefined ? [] : [graphSource({ root: code })];
  const waybill = createWaybill({ sources: [githubSource(place, around), ...graph] });
  const close = async (): Promise<void> => {
    transport.close();
    await waybill.close();
  };
  return { place, waybill, close };
}

/** A folder with `gh` only. Git and browsers that it would start are replaced. */
function aloneWithGh(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const paths = (process.env["PATH"] ?? "").split(delimiter).map((each) => join(each, "gh"));
  const gh = paths.find((path) => existsSync(path));
  if (gh !== undefined) symlinkSync(gh, join(bin, "gh"));
  return bin;
}

/** The whole environment of `gh`, without anything of this machine's own GitHub. */
function ghEnvironment(folder: string, configured: string, token: string | undefined) {
  return {
    PATH: aloneWithGh(folder),
    HOME: folder,
    GH_CONFIG_DIR: configured,
    GH_TOKEN: token,
    GH_NO_UPDATE_NOTIFIER: "1",
    GH_PROMPT_DISABLED: "1",
    NO_COLOR: "1",
  };
}

/** An embedded GitHub for one play, with both kinds of tools. */
export async function openEmbeddedWorld(options: EmbeddedOptions): Promise<Place> {
  const { skill, world, clock, code, judge } = options;
  const undo = new Undo();
  const folder = mkdtempSync(join(tmpdir(), "waybill-model-"));
  undo.add(() => rmSync(folder, { recursive: true, force: true }));
  const socket = join(folder, "s");
  const github = await startGithubEmulator({
    socket,
    ...(world && { world }),
    ...(clock && { clock }),
  });
  undo.add(() => github.close());
  const { place, waybill, close } = await openSources(github, folder, code);
  undo.add(close);
  const gh = ghEnvironment(folder, place.ghConfigDir ?? folder, place.ghToken);
  return {
    toolbox: async (door: Door, format) =>
      door === "gh" ? ghToolbox(format, folder, gh) : waybillToolbox(waybill, format, skill),
    judge: (answer) => judge(answer, github),
    applied: () => sum(Object.values(github.applied())),
    close: () => undo.all(),
  };
}
