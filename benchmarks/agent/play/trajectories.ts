import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modes } from "../types.ts";
import type { Mode, Text, Trajectory } from "../types.ts";

export const TRAJECTORIES = fileURLToPath(new URL("../trajectories", import.meta.url));

/** Texts that come again and again, such as a skill or a page of help, are written once. */
class TextTable {
  readonly texts: Record<string, Text> = {};
  readonly #keys = new Map<string, string>();

  key({ what, text, tokens }: Text): string {
    // The words of the schema are those of the pinned package, by the names that were sent.
    const kept =
      what === "schema" && text?.includes("{") === true ? { what, tokens } : { what, text, tokens };
    const whole = JSON.stringify(kept);
    const known = this.#keys.get(whole);
    if (known !== undefined) return known;
    const key = `t${this.#keys.size}`;
    this.#keys.set(whole, key);
    this.texts[key] =
      kept.text === undefined ? { what, tokens } : { what, text: kept.text, tokens };
    return key;
  }
}

function lines(items: readonly string[]): string {
  return items.map((item) => `  ${item}`).join(",\n");
}

function fileText(mode: Mode, trajectories: readonly Trajectory[]): string {
  const table = new TextTable();
  const plays = trajectories.map(({ scenario, variant, definitions, turns }) => ({
    scenario,
    variant,
    definitions: definitions.map((text) => table.key(text)),
    turns: turns.map(({ purpose, send, read }) => [purpose, table.key(send), table.key(read)]),
  }));
  const texts = Object.entries(table.texts).map(
    ([key, text]) => `${JSON.stringify(key)}: ${JSON.stringify(text)}`,
  );
  const listed = lines(plays.map((each) => JSON.stringify(each)));
  return `{\n"mode": ${JSON.stringify(mode)},\n"plays": [\n${listed}\n],\n"texts": {\n${lines(texts)}\n}\n}\n`;
}

/** Writes what was sent and read in each mode, one file a mode. */
export function writeTrajectories(all: readonly Trajectory[], folder = TRAJECTORIES): void {
  mkdirSync(folder, { recursive: true });
  for (const mode of modes) {
    const own = all.filter((each) => each.mode === mode);
    writeFileSync(join(folder, `${mode}.json`), fileText(mode, own));
  }
}
