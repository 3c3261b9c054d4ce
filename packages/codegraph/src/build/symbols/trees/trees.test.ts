import { describe, expect, it } from "vitest";
import { withTree } from "../../languages/grammars.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { linkSymbolFiles } from "../testing/link-tree.ts";
import type { LinkedTree } from "../testing/link-tree.ts";
import { extractGo, extractPython } from "./index.ts";

async function extractTreeSymbols(path: string, text: string): Promise<FileSymbolData> {
  const facts = path.endsWith(".go")
    ? await withTree("go", text, (root) => extractGo(root, path))
    : await withTree("python", text, (root) => extractPython(root, path));
  if (!facts) throw new SyntaxError(path);
  return facts;
}

async function linkTreeFiles(files: Readonly<Record<string, string>>): Promise<LinkedTree> {
  const read = Object.entries(files).map(async ([path, text]) => ({
    path,
    facts: await extractTreeSymbols(path, text),
  }));
  return linkSymbolFiles(await Promise.all(read));
}

describe("Python", () => {
  it("the code graph finds Python symbols and resolves calls by declared types", async () => {
    const tree = await linkTreeFiles({
      "app.py": `
from models import Item, make
import models

LIMIT = 3

class Service:
    item: Item
    def __init__(self, other: "Item"):
        self.load()
        other.open()
    def load(self) -> Item:
        return self.item.open()

def run(service: Service, items: list[Item]):
    service.load().open()
    make().open()
    models.make()
    helper()
    made = Item()
    made.open()
    for item in items: pass

def helper():
    def run(): pass
    run()
`,
      "models.py":
        "class Base:\n    def close(self): pass\nclass Item(Base):\n    def open(self): self.close()\ndef make() -> Item: return Item()\n",
    });
    expect(
      [...tree.symbols.inFile(0)]
        .slice(1)
        .map((symbol) => `${tree.symbols.kind(symbol)} ${tree.nameOf(symbol)}`),
    ).toEqual([
      "constant app.py#LIMIT",
      "class app.py#Service",
      "property app.py#Service.item",
      "constructor app.py#Service.__init__",
      "method app.py#Service.load",
      "function app.py#run",
      "function app.py#helper",
      "function app.py#helper.run",
    ]);
    expect(tree.uses("call")).toEqual([
      "app.py#Service.__init__ -> app.py#Service.load (declared, type)",
      "app.py#Service.__init__ -> models.py#Item.open (declared, type)",
      "app.py#Service.load -> models.py#Item.open (declared, type)",
      "app.py#run -> app.py#Service.load (declared, type)",
      "app.py#run -> models.py#Item.open (declared, type)",
      "app.py#run -> models.py#make (exact, scope)",
      "app.py#run -> models.py#Item.open (declared, type)",
      "app.py#run -> models.py#make (exact, scope)",
      "app.py#run -> app.py#helper (exact, scope)",
      "app.py#run -> models.py#Item (exact, scope)",
      "app.py#run -> models.py#Item.open (declared, type)",
      "app.py#helper -> app.py#helper.run (exact, scope)",
      "models.py#Item.open -> models.py#Base.close (declared, inheritance)",
      "models.py#make -> models.py#Item (exact, scope)",
    ]);
    expect(tree.uses("inherit")).toEqual(["models.py#Item -> models.py#Base (exact, scope)"]);
  });

  it.each([
    [
      "api.py",
      'from fastapi import APIRouter\nrouter = APIRouter(prefix="/users")\n@router.get("/{id}")\nasync def one(id: int): pass\n',
      ["route GET /users/{id} -> api.py#one (fastapi)"],
    ],
    [
      "web.py",
      'from flask import Flask\napp = Flask(__name__)\n@app.route("/a", methods=["GET", "POST"])\ndef a(): pass\n@app.route("/b")\ndef b(): pass\n',
      [
        "route GET /a -> web.py#a (flask)",
        "route POST /a -> web.py#a (flask)",
        "route GET /b -> web.py#b (flask)",
      ],
    ],
    [
      "site/urls.py",
      'from django.urls import path, include\ndef home(r): pass\nurlpatterns = [path("home/", home), path("x/", include("y"))]\n',
      ["route ALL /home -> site/urls.py#home (django)"],
    ],
    [
      "cli.py",
      "import click\n@click.command()\ndef do_it(): pass\n",
      ["command do-it -> cli.py#do_it (click)"],
    ],
    [
      "tool.py",
      'import typer\napp = typer.Typer()\n@app.command("go")\ndef run(): pass\n',
      ["command go -> tool.py#run (typer)"],
    ],
    [
      "jobs.py",
      "from celery import shared_task\n@shared_task\ndef send(): pass\n",
      ["job send -> jobs.py#send (celery)"],
    ],
    ["test_a.py", "def test_x(): pass\n", ["test test_a.py -> test_a.py# (pytest)"]],
    ["plain.py", "@property\ndef x(): pass\nd.get('/x')\n@cache.get('k')\ndef y(): pass\n", []],
  ])("the code graph finds the entrypoints of the Python file %s", async (path, text, expected) => {
    expect((await linkTreeFiles({ [path]: text })).entrypoints()).toEqual(expected);
  });
});

describe("Go", () => {
  it("the code graph finds Go symbols and resolves calls inside a file", async () => {
    const tree = await linkTreeFiles({
      "main.go": `package main
import "fmt"
type Store struct { name string; next *Store }
type Reader interface { Read() *Store }
func (s *Store) Save() { s.next.Load() }
func (s *Store) Load() {}
const Limit = 3
func New() *Store { return &Store{} }
func run(r Reader) { s := New(); s.Save(); r.Read().Load(); fmt.Println(Limit) }
`,
    });
    expect(
      [...tree.symbols.inFile(0)]
        .slice(1)
        .map((symbol) => `${tree.symbols.kind(symbol)} ${tree.nameOf(symbol)}`),
    ).toEqual([
      "struct main.go#Store",
      "property main.go#Store.name",
      "property main.go#Store.next",
      "interface main.go#Reader",
      "method main.go#Reader.Read",
      "method main.go#Store.Save",
      "method main.go#Store.Load",
      "constant main.go#Limit",
      "function main.go#New",
      "function main.go#run",
    ]);
    expect(tree.uses("call")).toEqual([
      "main.go#Store.Save -> main.go#Store.Load (declared, type)",
      "main.go#run -> main.go#New (exact, scope)",
      "main.go#run -> main.go#Store.Save (declared, type)",
      "main.go#run -> main.go#Reader.Read (declared, type)",
      "main.go#run -> main.go#Store.Load (declared, type)",
    ]);
  });

  it.each([
    [
      "http.go",
      'package a\nimport "net/http"\nfunc h() {}\nfunc f(mux *http.ServeMux) { http.HandleFunc("/x", h); mux.HandleFunc("POST /y", h) }',
      ["route ALL /x -> http.go#h (net/http)", "route POST /y -> http.go#h (net/http)"],
    ],
    [
      "gin.go",
      'package a\nimport "github.com/gin-gonic/gin"\nfunc h() {}\nfunc f(r *gin.Engine) { r.GET("/x/:id", h) }',
      ["route GET /x/:id -> gin.go#h (gin)"],
    ],
    [
      "echo.go",
      'package a\nimport "github.com/labstack/echo/v4"\nfunc h() {}\nfunc f(e *echo.Echo) { e.POST("/x", h) }',
      ["route POST /x -> echo.go#h (echo)"],
    ],
    [
      "chi.go",
      'package a\nimport "github.com/go-chi/chi/v5"\nfunc h() {}\nfunc f(r chi.Router) { r.Delete("/x", h); r.Get("x") }',
      ["route DELETE /x -> chi.go#h (chi)"],
    ],
    [
      "groups.go",
      `package a
import "github.com/gin-gonic/gin"
func h() {}
func f() {
  r := gin.Default()
  v1 := r.Group("/v1")
  { v1.GET("/gin", h) }
  users := v1.Group("/users", check)
  users.POST("/:id", h)
  r.Group("/a").Group("/b").PUT("/c", h)
  r.DELETE("/top", h)
}
func g(v1 *gin.RouterGroup) { v1.GET("/own", h) }`,
      [
        "route GET /v1/gin -> groups.go#h (gin)",
        "route POST /v1/users/:id -> groups.go#h (gin)",
        "route PUT /a/b/c -> groups.go#h (gin)",
        "route DELETE /top -> groups.go#h (gin)",
        "route GET /own -> groups.go#h (gin)",
      ],
    ],
    [
      "below.go",
      `package a
import "github.com/go-chi/chi/v5"
func h() {}
func f(r chi.Router) {
  r.Route("/v1", func(r chi.Router) {
    r.Get("/x", h)
    r.Route("/deep", func(inner chi.Router) { inner.Post("/y", h) })
    r.Group(func(g chi.Router) { g.Put("/z", h) })
  })
  r.Get("/after", h)
}`,
      [
        "route GET /v1/x -> below.go#h (chi)",
        "route POST /v1/deep/y -> below.go#h (chi)",
        "route PUT /v1/z -> below.go#h (chi)",
        "route GET /after -> below.go#h (chi)",
      ],
    ],
    [
      "cmd.go",
      'package a\nimport "github.com/spf13/cobra"\nfunc run() {}\nvar c = &cobra.Command{Use: "serve [port]", RunE: run}',
      ["command serve -> cmd.go#run (cobra)"],
    ],
    ["main.go", "package main\nfunc main() {}", ["command main.go -> main.go#main (go)"]],
    ["a_test.go", "package a\n", ["test a_test.go -> a_test.go# (go test)"]],
    [
      "none.go",
      'package a\nfunc h() {}\nfunc f(m M) { m.Get("/x", h); m.HandleFunc("/x", h) }',
      [],
    ],
  ])("the code graph finds the entrypoints of the Go file %s", async (path, text, expected) => {
    expect((await linkTreeFiles({ [path]: text })).entrypoints()).toEqual(expected);
  });
});
