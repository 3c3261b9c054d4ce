import { execFileSync } from "node:child_process";
import { root } from "../run.mjs";
import { isChecked, readTexts } from "./read-texts.ts";
import { rules } from "./rules.ts";

// npm run prose [-- <file>...]: checks for plain technical English, as far as a script can.

const named = process.argv.slice(2);
const unknown = named.find((file) => !isChecked(file));
if (unknown !== undefined) {
  console.error(
    `${unknown} is not a file with prose. Pass files of this repository, or none for all`,
  );
  process.exitCode = 2;
} else {
  const hits = (named.length > 0 ? named : allFiles()).flatMap(hitsIn);
  for (const hit of hits) console.error(hit);
  process.exitCode = hits.length > 0 ? 1 : 0;
}

function allFiles(): string[] {
  const listed = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    { cwd: root, encoding: "utf8" },
  );
  return listed.split("\n").filter(isChecked);
}

/** One line for each rule that a text breaks, with the replacement. */
function hitsIn(file: string): string[] {
  return readTexts(file).flatMap((text) =>
    rules
      .filter(({ count }) => count(text) > 0)
      .map(
        ({ name, advice }) =>
          `${file}:${text.line} ${name} (write: ${advice}): ${text.body.slice(0, 120)}`,
      ),
  );
}
