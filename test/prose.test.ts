import { describe, expect, it } from "vitest";
import { isChecked, textsInCard, textsInCode, textsInPage } from "../scripts/prose/read-texts.ts";
import type { Text } from "../scripts/prose/read-texts.ts";
import { rules } from "../scripts/prose/rules.ts";

describe("prose rules", () => {
  it.each([
    ["unless told", "Listens on port 3000 unless told"],
    ["mend", "How to mend it"],
    ["whoever", "For whoever reads it"],
    ["causal for", "It stays unknown, for nobody saw the end."],
    ["starts with What", "It works. What is cut comes later."],
    ["starts with Of", "Of those only the first is sent."],
    ["long sentence", `${"word ".repeat(36)}end.`],
  ])("the prose check finds that a page breaks the rule %j", (name, body) => {
    expect(broken(makeText("page", body))).toContain(name);
  });

  it.each([
    "Root of the code base (default: current folder).",
    "What is a card?",
    "Retries three times, for up to 30 s.",
    "Reads that nobody observes get no request id.",
  ])("the prose check accepts the page %j", (body) => {
    expect(broken(makeText("page", body))).toEqual([]);
  });

  it("the prose check rejects test titles that cannot be read alone", () => {
    expect(broken(makeText("title", "that fails leaves the write undone"))).toEqual(["title"]);
    expect(broken(makeText("title", "returns NOT_FOUND for an unknown id"))).toEqual([]);
  });

  it("the prose check rejects names that do not say what a function returns", () => {
    expect(broken(makeText("name", "textOf"))).toEqual(["name"]);
    expect(broken(makeText("name", "CallFacts"))).toEqual(["name"]);
    expect(broken(makeText("name", "parseCursor"))).toEqual([]);
  });
});

describe("prose that is checked", () => {
  it("the prose check reads the comments, messages, test titles and names of code, with their lines", () => {
    const code = `// One comment
// in two lines.
export function limitOf() {
  /** Another. */
  return fail("A message", \`for \${name}\`, "word");
}
it.each([1])("has a title", () => {});`;
    expect(textsInCode("a.ts", code)).toEqual([
      { kind: "comment", body: "One comment in two lines.", line: 1 },
      { kind: "comment", body: "Another.", line: 4 },
      { kind: "name", body: "limitOf", line: 3 },
      { kind: "message", body: "A message", line: 5 },
      { kind: "message", body: "for …", line: 5 },
      { kind: "title", body: "has a title", line: 7 },
      { kind: "message", body: "has a title", line: 7 },
    ]);
  });

  it("the prose check ignores SQL, JSON and generated code", () => {
    const code =
      'run("SELECT texts FROM calls"); write(`{ "texts": [] }`); write("// const texts = 1");';
    expect(textsInCode("a.ts", code)).toEqual([]);
  });

  it("the prose check ignores the strings of tests", () => {
    const found = textsInCode("a.test.ts", 'it("reads", () => { run("a b"); });');
    expect(found).toEqual([{ kind: "title", body: "reads", line: 1 }]);
  });

  it("the prose check reads the paragraphs of a page without its code", () => {
    const page = "# Title\n\nOne `a b`\nparagraph.\n\n```sh\nrun it\n```\n\n- [an item](a.md)\n";
    expect(textsInPage(page)).toEqual([
      { kind: "page", body: "# Title", line: 1 },
      { kind: "page", body: "One `code` paragraph.", line: 3 },
      { kind: "page", body: "- [an item]", line: 10 },
    ]);
  });

  it("the prose check reads the descriptions and comments of a card", () => {
    const card =
      "# A note\nname: issue.view\ndescription: View an issue\na: { type: string, description: Its title }\n";
    expect(textsInCard(card).map(({ body }) => body)).toEqual([
      "A note",
      "View an issue",
      "Its title",
    ]);
  });

  it("the prose check ignores generated files, fixtures and its own rules", () => {
    expect(isChecked("README.md")).toBe(true);
    expect(isChecked("packages/github/src/generated/cards.ts")).toBe(false);
    expect(isChecked("scripts/prose/rules.ts")).toBe(false);
  });
});

function makeText(kind: Text["kind"], body: string): Text {
  return { kind, body, line: 1 };
}

function broken(text: Text): string[] {
  return rules.filter(({ count }) => count(text) > 0).map(({ name }) => name);
}
