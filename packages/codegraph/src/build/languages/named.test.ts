import { describe, expect, it, onTestFinished } from "vitest";
import { openGraphTools } from "../../operations/index.ts";
import { openCodeGraph } from "../index.ts";
import { graphEdges, temporaryTree } from "../testing/temporary-tree.ts";

interface Case {
  readonly files: Readonly<Record<string, string>>;
  /** The symbols of the first file, with their owners. */
  readonly symbols: readonly string[];
  readonly edges: readonly string[];
  readonly symbol: string;
  readonly references: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  java: {
    files: {
      "src/a/Store.java": `package a;
public class Store<T> {
  private int count = 1;
  public Store(int n) {}
  public void save(String text) { int local = 1; }
  enum Mode { FAST }
}
`,
      "src/b/Main.java": `package b;
import a.Store;
import java.util.List;
class Main {
  void run() { Store<String> s = new Store<>(1); s.save("x"); }
}
`,
    },
    symbols: ["Store", "Store.count", "Store.save", "Store.Mode", "Mode.FAST"],
    edges: ["src/b/Main.java -import-> src/a/Store.java"],
    symbol: "src/a/Store.java#Store.save",
    references: ["src/b/Main.java:5:52"],
  },
  "C#": {
    files: {
      "Store.cs": `using System;
namespace A.B {
  public class Store : IDisposable {
    public int Count { get; set; }
    public void Save(string text) {}
  }
  record Point(int X);
}
`,
      "Program.cs": `using A.B;
class Program { void Run() { var s = new Store(); s.Save("x"); } }
`,
    },
    symbols: ["Store", "Store.Count", "Store.Save", "Point"],
    edges: ["Program.cs -import-> Store.cs"],
    symbol: "Store.cs#Store.Save",
    references: ["Program.cs:2:53"],
  },
  Rust: {
    files: {
      "src/store/mod.rs": `pub struct Store { pub count: i32 }
impl Store { pub fn save(&self) {} }
pub trait Keep { fn keep(&self); }
pub const MAX: i32 = 1;
`,
      "src/main.rs": `mod store;
use crate::store::{Store, MAX};
use std::io;
fn main() { let s = Store { count: MAX }; s.save(); }
`,
    },
    symbols: ["Store", "Store.count", "save", "Keep", "Keep.keep", "MAX"],
    edges: ["src/main.rs -import-> src/store/mod.rs"],
    symbol: "src/store/mod.rs#save",
    references: ["src/main.rs:4:45"],
  },
  Ruby: {
    files: {
      "lib/shop/store.rb": `module Shop
  class Store < Base
    LIMIT = 1
    def save(text)
      local = 1
    end
    def self.open = new
  end
end
`,
      "bin/run.rb": `require "shop/store"
require_relative "./other"
Shop::Store.open.save "x"
`,
      "bin/other.rb": "puts 1\n",
    },
    symbols: ["Shop", "Shop.Store", "Store.LIMIT", "Store.save", "Store.open"],
    edges: ["bin/run.rb -import-> bin/other.rb", "bin/run.rb -import-> lib/shop/store.rb"],
    symbol: "lib/shop/store.rb#Store.save",
    references: ["bin/run.rb:3:18"],
  },
  PHP: {
    files: {
      "src/Shop/Store.php": `<?php
namespace App\\Shop;
class Store extends Base { const K = 1; public function save(): void { $x = 1; } }
interface Keeps {}
function open_store() {}
`,
      "public/index.php": `<?php
use App\\Shop\\Store;
require_once __DIR__ . "/helper.php";
$s = new Store(); $s->save();
`,
      "public/helper.php": "<?php\n",
    },
    symbols: ["Store", "Store.K", "Store.save", "Keeps", "open_store"],
    edges: [
      "public/index.php -import-> public/helper.php",
      "public/index.php -import-> src/Shop/Store.php",
    ],
    symbol: "src/Shop/Store.php#Store.save",
    references: ["public/index.php:4:23"],
  },
  C: {
    files: {
      "include/store.h": `#define LIMIT 3
struct store { int count; };
int store_save(struct store *s, const char *text);
typedef struct store store_t;
`,
      "src/main.c": `#include "store.h"
#include <stdio.h>
static int helper(int *p) { int local = *p; return local; }
int main(void) { struct store s; return store_save(&s, "x") + helper(0); }
`,
    },
    symbols: ["LIMIT", "store", "store_save", "store_t"],
    edges: ["src/main.c -import-> include/store.h"],
    symbol: "include/store.h#store_save",
    references: ["src/main.c:4:41"],
  },
  "C++": {
    files: {
      "store.hpp": `namespace shop {
class Store { public: void save(int n); int count; };
enum Mode { FAST };
}
`,
      "main.cpp": `#include "store.hpp"
void run() { auto s = new shop::Store(); s->save(1); }
`,
    },
    symbols: ["Store", "Store.save", "Mode", "Mode.FAST"],
    edges: ["main.cpp -import-> store.hpp"],
    symbol: "store.hpp#Store.save",
    references: ["main.cpp:2:45"],
  },
  Kotlin: {
    files: {
      "src/a/Store.kt": `package a
class Store(val size: Int) {
  val count = 1
  fun save(text: String) { val local = 1 }
}
object Shared
enum class Mode { FAST }
typealias Name = String
fun open(): Store = Store(1)
`,
      "src/b/Main.kt": `package b
import a.Store
import kotlin.math.max
fun main() { val s = Store(1); s.save("x") }
`,
    },
    symbols: ["Store", "Store.count", "Store.save", "Shared", "Mode", "Mode.FAST", "Name", "open"],
    edges: ["src/b/Main.kt -import-> src/a/Store.kt"],
    symbol: "src/a/Store.kt#Store.save",
    references: ["src/b/Main.kt:4:34"],
  },
};

describe.each(Object.entries(CASES))("%s", (_name, { files, symbols, edges, ...asked }) => {
  it("in languages without a resolver, the code graph finds symbols, imports and references by name, and reports the references as incomplete (a lower bound)", async () => {
    const root = temporaryTree(files);
    const opened = await openCodeGraph({ root, cache: false });
    onTestFinished(() => opened.close());
    await opened.ready;
    const { graph } = opened;
    const own = [...graph.symbols.inFile(graph.files.find(Object.keys(files)[0]!)!)].slice(1);
    const named = own.map((symbol) => {
      const parent = graph.symbols.parent(symbol)!;
      const owner = graph.symbols.kind(parent) === "module" ? "" : `${graph.symbols.name(parent)}.`;
      return owner + graph.symbols.name(symbol);
    });
    expect(named).toEqual(symbols);
    expect([...new Set(graphEdges(graph))]).toEqual(edges);
    const tools = openGraphTools({ root, patienceMs: 60_000 });
    onTestFinished(() => tools.close());
    const { data } = await tools.call("references", {
      symbol: asked.symbol,
      includeDeclaration: false,
    });
    const result = data.result as {
      references: { path: string; line: number; column: number }[];
    };
    const places = result.references.map(({ path, line, column }) => `${path}:${line}:${column}`);
    expect(places).toEqual(asked.references);
    expect(result).toMatchObject({ completeness: "lower-bound" });
    const impact = await tools.call("impact", { target: Object.keys(files)[0]! });
    expect(impact.data.result).toMatchObject({ completeness: "lower-bound" });
    const issues = await tools.call("issues", {});
    expect(issues.data.result).toMatchObject({ issues: [] });
  });
});
