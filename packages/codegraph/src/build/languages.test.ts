import { describe, expect, it } from "vitest";
import type { CodeGraph } from "../graph/index.ts";
import { openCodeGraph } from "./index.ts";
import { edgesOf, temporaryTree } from "./testing/temporary-tree.ts";

const open = async (files: Record<string, string>) =>
  (await openCodeGraph({ root: temporaryTree(files), cache: false })).graph;

const packagesOf = ({ packages }: CodeGraph) =>
  Array.from({ length: packages.count }, (_, use) => `${packages.kind(use)} ${packages.text(use)}`);

const gapsOf = ({ gaps }: CodeGraph) =>
  Array.from({ length: gaps.count }, (_, gap) => `${gaps.kind(gap)} ${gaps.text(gap)}`);

describe("Python", () => {
  it("imports lead to modules, packages and submodules", async () => {
    const graph = await open({
      "pyproject.toml": "",
      "src/app/__init__.py": "from .core import run\n",
      "src/app/core.py":
        "import os.path, requests\nfrom . import util\nfrom .sub import deep\ndef run(): pass\n",
      "src/app/util.py": "from ..app.core import *\n",
      "src/app/sub/deep.py": "if TYPE_CHECKING:\n    from app.core import run\n",
      "tests/test_app.py": "import app\nfrom app import run, core\nimport app.util as u\n",
    });
    expect(edgesOf(graph)).toEqual([
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

  it("names are followed through packages", async () => {
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

  it("that cannot be followed is a gap", async () => {
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
    expect(edgesOf(graph)).toEqual(["a.py -dynamic-> b.py"]);
  });
});

describe("Go", () => {
  it("imports lead to the files of a package, by the module's path", async () => {
    const graph = await open({
      "go.mod": "module example.com/app\n\ngo 1.22\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\t"github.com/x/y/z"\n\tlib "example.com/app/lib"\n\t"example.com/app/gone"\n)\n',
      "lib/a.go":
        "package lib\n\nfunc Open() {}\nfunc hidden() {}\ntype Thing struct{}\nconst (\n\tOne = 1\n)\n",
      "lib/b.go": "package lib\n",
      "lib/b_test.go": "package lib\n",
    });
    expect(edgesOf(graph)).toEqual(["main.go -import-> lib/a.go", "main.go -import-> lib/b.go"]);
    expect(packagesOf(graph)).toEqual(["builtin fmt", "package github.com/x/y"]);
    expect(gapsOf(graph)).toEqual(["unresolved example.com/app/gone"]);
    const { exports, files } = graph;
    const names = [...exports.inFile(files.find("lib/a.go")!)].map((row) => exports.name(row));
    expect(names).toEqual(["One", "Open", "Thing"]);
  });
});
