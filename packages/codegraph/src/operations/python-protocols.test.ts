import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

const FILES = {
  "base.py": `from typing import Protocol

class Named(Protocol):
    def name(self, upper: bool) -> str: ...

class Loud(Named, Protocol):
    volume: int

def show(named: Named):
    return named.name(True)
`,
  "people.py": `class Person:
    def name(self, upper: bool = False) -> str:
        return "p"

class Child(Person):
    volume = 3

class Place:
    def name(self) -> str:
        return "x"

class Picky:
    def name(self, upper, lower):
        return "y"

class Other:
    def title(self, upper: bool) -> str:
        return "x"
`,
};

async function ask(files: Readonly<Record<string, string>>, tool: string, args: object) {
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return (await tools.call(tool, { ...args })).data.result;
}

const namesIn = (result: unknown): string[] =>
  (result as { implementations: { name: string }[] }).implementations.map(({ name }) => name);

it("graph_implementations lists the classes that have all members of a Python protocol, with parameters that fit", async () => {
  const named = await ask(FILES, "implementations", { symbol: "Named" });
  expect(namesIn(named).toSorted()).toEqual(["Child", "Loud", "Person"]);
  expect(named).toMatchObject({ completeness: "exact" });
  expect(namesIn(await ask(FILES, "implementations", { symbol: "Loud" }))).toEqual(["Child"]);
});

it("the code graph finds calls of a method through a Python protocol", async () => {
  const args = { symbol: "Person.name", includeDeclaration: false };
  expect(await ask(FILES, "references", args)).toMatchObject({
    references: [{ path: "base.py", line: 10, column: 18, via: "interface" }],
  });
  const place = { symbol: "Place.name", includeDeclaration: false };
  expect(await ask(FILES, "references", place)).toMatchObject({ references: [] });
});

it("implementations of a Python protocol are reported as incomplete (a lower bound) if a class inherits from a package", async () => {
  const more = { ...FILES, "heir.py": "import lib\n\nclass Heir(lib.Base):\n    pass\n" };
  expect(await ask(more, "implementations", { symbol: "Named" })).toMatchObject({
    completeness: "lower-bound",
    why: ["a type has methods from a package and may implement an interface with them"],
  });
});
