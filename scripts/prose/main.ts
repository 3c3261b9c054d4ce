import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "../run.mjs";
import { compare, formatCounts, grownRules } from "./baseline.ts";
import type { Change, Counts } from "./baseline.ts";
import { isChecked, readTexts } from "./read-texts.ts";
import { rules } from "./rules.ts";

// npm run prose: plain technical English, as far as a script can tell. Each rule that is broken more
// often than baseline.json lists for a file is an error. The baseline may only get shorter.

const usage = `npm run prose                 Compare with the baseline
npm run prose -- <file>...    Print every hit in these files
npm run prose -- --update     Remove from the baseline what is fixed`;

const baselineFile = fileURLToPath(new URL("baseline.json", import.meta.url));
const words = process.argv.slice(2);
if (words.length === 0) process.exitCode = check();
else if (words.length === 1 && words[0] === "--update") process.exitCode = update();
else if (words.every(isChecked)) words.forEach(printHits);
else {
  console.error(usage);
  process.exitCode = 2;
}

function check(): number {
  const { more, less } = compare(countAll(), readBaseline());
  for (const change of more) reportNew(change);
  if (more.length > 0) {
    console.error("Write these more plainly. If you only moved a file: npm run prose -- --update");
  } else if (less.length > 0) {
    const files = new Set(less.map(({ file }) => file)).size;
    console.error(`${files} files are better than the baseline says: npm run prose -- --update`);
  }
  return more.length + less.length > 0 ? 1 : 0;
}

function update(): number {
  const found = countAll();
  // The first baseline lists whatever there is.
  const grown = existsSync(baselineFile) ? grownRules(found, readBaseline()) : [];
  if (grown.length === 0) writeFileSync(baselineFile, formatCounts(found));
  else console.error(`More hits than before: ${grown.join(", ")}. Find them with: npm run prose`);
  return grown.length === 0 ? 0 : 1;
}

function reportNew({ file, rule, found, listed }: Change): void {
  console.error(`${file}: ${rule}, ${found} instead of ${listed}: ${adviceFor(rule)}`);
  printHits(file, rule);
}

function printHits(file: string, only?: unknown): void {
  for (const text of readTexts(file)) {
    for (const { name, count } of rules) {
      const isWanted = typeof only !== "string" || only === name;
      if (isWanted && count(text) > 0)
        console.log(`  ${file}:${text.line} ${name}: ${text.body.slice(0, 120)}`);
    }
  }
}

function adviceFor(rule: string): string {
  return rules.find(({ name }) => name === rule)?.advice ?? "";
}

function countAll(): Counts {
  const files = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const counted = files
    .split("\n")
    .filter(isChecked)
    .map((file) => [file, countIn(file)] as const);
  return Object.fromEntries(counted.filter(([, counts]) => Object.keys(counts).length > 0));
}

function countIn(file: string): Record<string, number> {
  const texts = readTexts(file);
  const counts = rules.map(({ name, count }) => {
    return [name, texts.reduce((sum, text) => sum + count(text), 0)] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function readBaseline(): Counts {
  return JSON.parse(readFileSync(baselineFile, "utf8")) as Counts;
}
