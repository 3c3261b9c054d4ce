import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/run.mjs";

/**
 * One statement of the documents: whether it holds (H) or differs on purpose (D), and the proof.
 */
interface Statement {
  readonly id: string;
  readonly says: string;
  readonly verdict: "H" | "D";
  readonly file: string;
  /** The title of the test that proves it, or the heading that explains the difference. */
  readonly title: string;
}

const EXPECTED = {
  "result-envelope": 46,
  "code-graph-envelope": 44,
  routing: 33,
  "agentic-interface-spec": 70,
  "response-envelopes": 64,
};
const MOST_DIFFERENCES = 40;
const PAGE = "docs/comparison/differences.md";

const statements = JSON.parse(
  readFileSync(join(root, "test/seeds/statements.json"), "utf8"),
) as readonly Statement[];

const texts = new Map<string, string>();

function readText(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), "utf8");
  texts.set(file, text);
  return text;
}

function isShown({ verdict, file, title }: Statement): boolean {
  const text = readText(file);
  return verdict === "D" ? text.includes(`\n## ${title}\n`) : text.includes(`"${title}"`);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsIn(file: string): Set<string> {
  const headings = [...readText(file).matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Whether a difference ends with a link to a section that exists. */
function citesContract(difference: string): boolean {
  const [, link, anchor] =
    /\nContract: \[[^\]]+\]\(([^#)]+)#([^)]+)\)\.\n*$/u.exec(difference) ?? [];
  if (link === undefined || anchor === undefined) return false;
  return anchorsIn(join(dirname(PAGE), link)).has(anchor);
}

function tableLines(): string[] {
  const lines = Object.entries(EXPECTED).map(([name, count]) => {
    const own = statements.filter(({ id }) => id.startsWith(`${name}.`));
    const held = own.filter(({ verdict }) => verdict === "H").length;
    return `${name.padEnd(24)} ${own.length}/${count}  H ${held}  D ${own.length - held}`;
  });
  const differs = statements.filter(({ verdict }) => verdict === "D").length;
  const all = `${"all".padEnd(24)} ${statements.length}/257  H ${statements.length - differs}  D ${differs}`;
  return [...lines, all];
}

describe("statements of the five documents", () => {
  it("statements.json says for each of the 257 statements of the design documents whether Waybill keeps it or differs on purpose", () => {
    console.log(tableLines().join("\n"));
    expect(statements).toHaveLength(257);
    expect(new Set(statements.map(({ id }) => id)).size).toBe(257);
    for (const [name, count] of Object.entries(EXPECTED)) {
      expect(statements.filter(({ id }) => id.startsWith(`${name}.`))).toHaveLength(count);
    }
    const differs = statements.filter(({ verdict }) => verdict === "D");
    expect(differs.length).toBeLessThanOrEqual(MOST_DIFFERENCES);
  });

  it("statements.json names for each statement an existing test or an explained difference", () => {
    expect(statements.filter((statement) => !isShown(statement))).toEqual([]);
  });

  it("docs/comparison/differences.md explains only differences that are linked to a statement", () => {
    const page = readText(PAGE);
    const explained = [...page.matchAll(/^## (.+)$/gmu)].map(([, title = ""]) => title);
    const named = statements.filter(({ verdict }) => verdict === "D").map(({ title }) => title);
    expect(explained.toSorted()).toEqual([...new Set(named)].toSorted());
  });

  it("docs/comparison/differences.md names for each difference the section of the contract that it follows", () => {
    const [, ...differences] = readText(PAGE).split(/^## /mu);
    expect(differences.filter((difference) => !citesContract(difference))).toEqual([]);
  });
});
