import { describe, expect, it } from "vitest";
import { circlesOf } from "../query/modules/cycles.ts";
import type { CodeGraph } from "../graph/index.ts";
import { openCodeGraph } from "./index.ts";
import { graphContent, graphEdges, temporaryTree, writeTree } from "./testing/temporary-tree.ts";

const open = async (files: Record<string, string>) =>
  (await openCodeGraph({ root: temporaryTree(files), cache: false })).graph;

const packagesOf = ({ packages }: CodeGraph) =>
  Array.from({ length: packages.count }, (_, use) => `${packages.kind(use)} ${packages.text(use)}`);

const gapsOf = ({ gaps }: CodeGraph) =>
  Array.from({ length: gaps.count }, (_, gap) => `${gaps.kind(gap)} ${gaps.text(gap)}`);

describe("Python", () => {
  it("the code graph resolves Python imports to modules, packages and submodules", async () => {
    const graph = await open({
      "pyproject.toml": "",
      "src/app/__init__.py": "from .core import run\n",
      "src/app/core.py":
        "import os.path, requests\nfrom . import util\nfrom .sub import deep\ndef run(): pass\n",
      "src/app/util.py": "from ..app.core import *\n",
      "src/app/sub/deep.py": "if TYPE_CHECKING:\n    from app.core import run\n",
      "tests/test_app.py": "import app\nfrom app import run, core\nimport app.util as u\n",
    });
    expect(graphEdges(graph)).toEqual([
      "src/app/__init__.py -import-> src/app/core.py",
      "src/app/core.py -import-> src/app/__init__.py",
      "src/app/core.py -import-> src/app/sub/deep.py",
      "src/app/core.py -import-> src/app/util.py",
      "src/app/sub/deep.py -import type-> src/app/core.py",
      "src/app/util.py -import-> src/app/core.py",
      "tests/test_app.py -import-> src/app/__init__.py",
      "tests/test_app.py -import-> src/app/__init__.py",
      "tests/test_app.py -import-> src/app/core.py",
      "tests/test_app.py -import-> src/app/util.py",
    ]);
    expect(packagesOf(graph)).toEqual(["builtin os", "package requests"]);
    expect(gapsOf(graph)).toEqual([]);
  });

  it("the code graph follows Python names through packages", async () => {
    const { exports, bindings, files, imports } = await open({
      "p/__init__.py": "from .a import f as g\n",
      "p/a.py": "@decorated\ndef f(): pass\nclass C: pass\nX, Y = 1, 2\n",
      "main.py": "from p import g\n",
    });
    const names = [...exports.inFile(files.find("p/a.py")!)].map((row) => exports.name(row));
    expect(names).toEqual(["C", "X", "Y", "f"]);
    const [binding] = bindings.ofEdge([...imports.outOf(files.find("main.py")!)][0]!);
    expect(files.path(exports.file(bindings.export(binding!)!))).toBe("p/a.py");
  });

  it("the code graph resolves Python names that are modules, re-exports or conditional assignments", async () => {
    const { exports, files } = await open({
      "p/__init__.py": [
        "from .inner import core, z, gone",
        "from .space import part",
        "from . import compat",
        "from .compat import loads, ujson, fast, B, late, lost",
        "from .open import anything",
      ].join("\n"),
      "p/inner/__init__.py": "z = other = 1\n",
      "p/inner/core.py": "y = 1\n",
      "p/space/part.py": "",
      "p/compat.py": [
        "from json import loads",
        "try:\n    import ujson\nexcept ImportError:\n    ujson = None",
        "if loads:\n    fast = 1",
        "A, (B, *C) = x",
        "def f():\n    global late\n    late = 1",
      ].join("\n"),
      "p/open.py": "def __getattr__(name): pass\n",
    });
    const kinds = [...exports.inFile(files.find("p/__init__.py")!)].map(
      (row) => `${exports.name(row)} ${exports.kind(row)}`,
    );
    expect(kinds).toEqual([
      "B forwarded",
      "anything external",
      "compat namespace",
      "core namespace",
      "fast external",
      "gone broken",
      "late external",
      "loads external",
      "lost broken",
      "part namespace",
      "ujson external",
      "z forwarded",
    ]);
  });

  it("the code graph reports Python imports that cannot be resolved as gaps", async () => {
    const graph = await open({
      "a.py":
        "from .gone import x\nimport importlib\nimportlib.import_module(name)\nimportlib.import_module('b')\n",
      "b.py": "def (:\n",
    });
    expect(gapsOf(graph)).toEqual([
      "unresolved .gone",
      "dynamic importlib.import_module(name)",
      "syntax syntax error",
    ]);
    expect(graphEdges(graph)).toEqual(["a.py -dynamic-> b.py"]);
  });
});

describe("Go", () => {
  it("the code graph resolves Go imports to the files of a package by the module path", async () => {
    const graph = await open({
      "go.mod": "module example.com/app\n\ngo 1.22\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\t"github.com/x/y/z"\n\tlib "example.com/app/lib"\n\t"example.com/app/gone"\n)\n',
      "lib/a.go":
        "package lib\n\nfunc Open() {}\nfunc hidden() {}\ntype Thing struct{}\nconst (\n\tOne = 1\n)\n",
      "lib/b.go": "package lib\n",
      "lib/b_test.go": "package lib\n",
    });
    expect(graphEdges(graph)).toEqual(["main.go -import-> lib/a.go", "main.go -import-> lib/b.go"]);
    expect(packagesOf(graph)).toEqual(["builtin fmt", "package github.com/x/y"]);
    expect(gapsOf(graph)).toEqual(["unresolved example.com/app/gone"]);
    const { exports, files } = graph;
    const names = [...exports.inFile(files.find("lib/a.go")!)].map((row) => exports.name(row));
    expect(names).toEqual(["One", "Open", "Thing"]);
  });
});

const PACKAGE = {
  "go.mod": "module example.com/app\n",
  "store/store.go": `package store
type Store struct { name string }
func New() *Store { return &Store{name: limit} }
`,
  "store/save.go": `package store
func (s *Store) Save() { name := 1; helper(name) }
`,
  "store/helper.go": `package store
const limit = 3
func helper(n int) { fresh := New(); fresh.Save() }
func name() {}
`,
  "store/alone.go": "package store\nfunc alone(helper int) { _ = helper }\n",
  "store/store_test.go": "package store\nfunc TestStore() { helper(limit) }\n",
  "store/outside_test.go": "package store_test\nfunc TestOutside() { helper(1) }\n",
  "main.go": `package main
import "example.com/app/store"
func main() { store.New().Save() }
`,
};

const callsOf = ({ uses, symbols, files }: CodeGraph) => {
  const nameOf = (symbol: number): string =>
    `${files.path(symbols.file(symbol))}#${symbols.name(symbol)}`;
  return Array.from({ length: uses.count }, (_, use) => use)
    .filter((use) => uses.kind(use) === "call")
    .map((use) => `${nameOf(uses.from(use))} -> ${nameOf(uses.to(use))}`)
    .toSorted();
};

const CALLS = [
  "main.go#main -> store/save.go#Save",
  "main.go#main -> store/store.go#New",
  "store/helper.go#helper -> store/save.go#Save",
  "store/helper.go#helper -> store/store.go#New",
  "store/save.go#Save -> store/helper.go#helper",
  "store/store_test.go#TestStore -> store/helper.go#helper",
];

describe("files of one Go package", () => {
  it("the code graph links files of one Go package where one uses a declaration of another", async () => {
    const graph = await open(PACKAGE);
    expect(graphEdges(graph).filter((edge) => edge.includes("-package->"))).toEqual([
      "store/helper.go -package-> store/save.go",
      "store/helper.go -package-> store/store.go",
      "store/save.go -package-> store/helper.go",
      "store/save.go -package-> store/store.go",
      "store/store.go -package-> store/helper.go",
      "store/store_test.go -package-> store/helper.go",
    ]);
    const { imports, files } = graph;
    const edges = [...imports.outOf(files.find("store/helper.go")!)];
    expect(edges.map((edge) => [imports.line(edge), imports.confidence(edge)])).toEqual([
      [3, "exact"],
      [3, "likely"],
    ]);
    expect(gapsOf(graph)).toEqual([]);
    expect(circlesOf(graph)).toEqual([]);
  });

  it("the code graph finds calls between files of one Go package and from other packages", async () => {
    const opened = await openCodeGraph({ root: temporaryTree(PACKAGE), cache: false });
    await opened.ready;
    expect(callsOf(opened.graph)).toEqual(CALLS);
  });

  it("the code graph links a Go package again when a file with a missing declaration is added or changed", async () => {
    const { "store/helper.go": helper, ...rest } = PACKAGE;
    const root = temporaryTree(rest);
    const opened = await openCodeGraph({ root, cache: false });
    await opened.ready;
    expect(callsOf(opened.graph)).toEqual(CALLS.filter((call) => !call.includes("helper.go")));
    writeTree(root, { "store/helper.go": "package store\n" });
    await opened.refresh();
    writeTree(root, { "store/helper.go": helper });
    const edited = await opened.refresh();
    expect(callsOf(edited)).toEqual(CALLS);
    const anew = await openCodeGraph({ root, cache: false });
    await anew.ready;
    expect(graphContent(edited)).toEqual(graphContent(anew.graph));
  });
});

it("the code graph resolves a use of a Python module through its package after the module is added", async () => {
  const root = temporaryTree({
    "pkg/__init__.py": "",
    "use.py": "import pkg\n\npkg.late.start()\n",
  });
  const opened = await openCodeGraph({ root, cache: false });
  await opened.ready;
  writeTree(root, { "pkg/late.py": "def start(): ...\n" });
  const edited = await opened.refresh();
  const anew = await openCodeGraph({ root, cache: false });
  await anew.ready;
  expect(callsOf(anew.graph)).toEqual(["use.py#use.py -> pkg/late.py#start"]);
  expect(graphContent(edited)).toEqual(graphContent(anew.graph));
});
