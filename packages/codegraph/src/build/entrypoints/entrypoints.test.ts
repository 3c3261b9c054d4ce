import { describe, expect, it } from "vitest";
import { linkTree } from "../symbols/testing/link-tree.ts";
import { manifestEntrypoints } from "./manifest.ts";

const found = (text: string, path = "a.ts"): string[] => linkTree({ [path]: text }).entrypoints();

describe("routes from calls", () => {
  it("the code graph finds routes of Express routers mounted in the same file", () => {
    const text = `
      import express, { Router } from "express";
      const app = express();
      const users = Router();
      app.get("/", (req, res) => res.send("hi"));
      app.post("/login", check, login);
      users.route("/:id").get(show).delete(controller.remove);
      app.use("/users", users);
      app.use(express.json());
      app.set("port", 1); app.get("port");
      function login() {} function show() {}
      const controller = { remove() {} };
    `;
    expect(found(text)).toEqual([
      "route GET / -> a.ts# (express)",
      "route POST /login -> a.ts#login (express)",
      "route GET /users/:id -> a.ts#show (express)",
      "route DELETE /users/:id -> a.ts#controller.remove (express)",
    ]);
  });

  it("the code graph finds routes of Koa, Fastify and Hono", () => {
    const text = `
      import Router from "@koa/router"; import fastify from "fastify"; import { Hono } from "hono";
      const router = new Router({ prefix: "/api" });
      router.get("/a", handler);
      const server = fastify();
      server.get("/b", { schema: {} }, handler);
      server.route({ method: "POST", url: "/c", handler });
      server.register(async (inner) => { inner.put("/d", handler); });
      const hono = new Hono().basePath("/v1").get("/e", handler).on("PURGE", "/f", handler);
      hono.delete("/g", handler);
      function handler() {}
    `;
    expect(found(text)).toEqual([
      "route GET /api/a -> a.ts#handler (koa)",
      "route GET /b -> a.ts#handler (fastify)",
      "route POST /c -> a.ts#handler (fastify)",
      "route PUT /d -> a.ts#handler (fastify)",
      "route GET /v1/e -> a.ts#handler (hono)",
      "route PURGE /v1/f -> a.ts#handler (hono)",
      "route DELETE /v1/g -> a.ts#handler (hono)",
    ]);
  });

  it("the code graph finds routes of nested routers that other files mount", () => {
    const tree = linkTree({
      "app.ts": `
        import express from "express"; import { api } from "./api"; import pages from "./pages";
        const app = express(); const admin = express.Router();
        app.use("/api/v1", api); app.use("/old", api); app.use(express.json(), pages);
        admin.use("/pages", pages); app.use("/admin", admin);
      `,
      "api.ts": `
        import { Router } from "express"; import users from "./users"; import * as more from "./more";
        export const api = Router(); const apart = Router();
        api.use("/users", check, users); api.use("/more", more.things());
        api.get("/", list); apart.get("/apart", list);
        function list() {} function check() {}
      `,
      "users.ts": `
        import { Router } from "express"; const router = Router();
        router.get("/:id", show); export default router; function show() {}
      `,
      "more.ts": `
        import { Router } from "express";
        export function things() { const router = Router(); router.post("/x", make); return router; }
        function make() {}
      `,
      "pages.ts": `
        import express from "express";
        export default express.Router().get("/home", home); function home() {}
      `,
    });
    expect(tree.entrypoints().toSorted()).toEqual([
      "route GET /admin/pages/home -> pages.ts#home (express)",
      "route GET /apart -> api.ts#list (express)",
      "route GET /api/v1 -> api.ts#list (express)",
      "route GET /api/v1/users/:id -> users.ts#show (express)",
      "route GET /home -> pages.ts#home (express)",
      "route GET /old -> api.ts#list (express)",
      "route GET /old/users/:id -> users.ts#show (express)",
      "route POST /api/v1/more/x -> more.ts#make (express)",
      "route POST /old/more/x -> more.ts#make (express)",
    ]);
  });

  it("the code graph finds routes of CommonJS, Hono and Fastify routers that other files mount", () => {
    const tree = linkTree({
      "a.js": `
        const express = require("express"); const app = express(); const users = require("./users.js");
        app.use("/users", users); app.use("/inline", require("./inline.js"));
      `,
      "users.js":
        'const router = require("express").Router(); router.get("/:id", f); function f() {} module.exports = router;',
      "inline.js":
        'const router = require("express").Router(); router.get("/a", f); function f() {} module.exports = router;',
      "b.ts": `
        import { Hono } from "hono"; import sub from "./sub"; import { books } from "./books";
        const app = new Hono().basePath("/v1"); app.route("/api", sub).route("/books", books);
      `,
      "sub.ts":
        'import { Hono } from "hono"; const sub = new Hono(); sub.get("/x", f); function f() {} export default sub;',
      "books.ts":
        'import { Hono } from "hono"; export const books = new Hono().get("/", f).get("/:id", f); function f() {}',
      "c.ts":
        'import fastify from "fastify"; import routes from "./routes"; const server = fastify(); server.register(routes, { prefix: "/f" });',
      "routes.ts":
        'export default async function routes(fastify) { fastify.get("/y", f); } function f() {}',
    });
    expect(tree.entrypoints().toSorted()).toEqual([
      "route GET /f/y -> routes.ts#f (http)",
      "route GET /inline/a -> inline.js#f (express)",
      "route GET /users/:id -> users.js#f (express)",
      "route GET /v1/api/x -> sub.ts#f (hono)",
      "route GET /v1/books -> books.ts#f (hono)",
      "route GET /v1/books/:id -> books.ts#f (hono)",
    ]);
  });

  it("the code graph finds routes that inline Fastify plugins register, with the prefixes of these plugins", () => {
    const tree = linkTree({
      "app.ts": `
        import fastify, { type FastifyInstance } from "fastify"; import routes from "./routes";
        const app = fastify();
        app.register(async (f) => {
          f.put("/in", h);
          f.route({ method: "POST", url: "/object", handler: h });
          f.register(function (g: FastifyInstance) { g.get("/deep", h); f.get("/outer", h); }, { prefix: "/q" });
          f.register(routes, { prefix: "/r" });
          app.get("/own", h);
        }, { prefix: "/p" });
        app.register(async (f) => { f.delete("/plain", h); });
        function h() {}
      `,
      "routes.ts":
        'import type { FastifyInstance } from "fastify"; export default async function routes(f: FastifyInstance) { f.route({ method: "GET", url: "/far", handler }); } function handler() {}',
    });
    expect(tree.entrypoints().toSorted()).toEqual([
      "route DELETE /plain -> app.ts#h (fastify)",
      "route GET /own -> app.ts#h (fastify)",
      "route GET /p/outer -> app.ts#h (fastify)",
      "route GET /p/q/deep -> app.ts#h (fastify)",
      "route GET /p/r/far -> routes.ts#handler (fastify)",
      "route POST /p/object -> app.ts#h (fastify)",
      "route PUT /p/in -> app.ts#h (fastify)",
    ]);
  });

  it("the code graph finds routes of a function parameter that has a usual name of a router, such as app", () => {
    const text =
      'export function routes(app) { app.get("/x", run); other.get("/y", run); } function run() {}';
    expect(found(text)).toEqual(["route GET /x -> a.ts#run (http)"]);
  });

  it.each([
    ["an HTTP client", 'import axios from "axios"; axios.get("/x", options); const options = {};'],
    [
      "the HTTP request of a test",
      'import request from "supertest"; request(app).get("/x"); function app() {}',
    ],
    ["a Map", 'const app = new Map(); app.get("/x");'],
    ["a mocked server", 'import { http } from "msw"; http.get("/x", () => 1);'],
  ])("the code graph does not report a method call on %s as a route", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it("the code graph links a route to a handler that another file declares", () => {
    const tree = linkTree({
      "a.ts":
        'import { Hono } from "hono"; import { list } from "./b"; export const app = new Hono().get("/", list);',
      "b.ts": "export function list() {}",
    });
    expect(tree.uses("register")).toEqual(["a.ts#app -> b.ts#list (exact, scope)"]);
    expect(tree.entrypoints()).toEqual(["route GET / -> b.ts#list (hono)"]);
  });
});

describe("entrypoints from decorators", () => {
  it("the code graph puts the path of the controller in front of routes from decorators", () => {
    const text = `
      import { Controller, Get, Post, All, Injectable } from "@nestjs/common";
      @Controller("cats") class Cats { @Get() list() {} @Get(":id") one() {} @Post(["a", "/b"]) many() {} helper() {} }
      @Controller({ path: "dogs", version: "1" }) class Dogs { @All("*") any() {} }
      @Injectable() class Service { @Get() none() {} }
    `;
    expect(found(text)).toEqual([
      "route GET /cats -> a.ts#Cats.list (nestjs)",
      "route GET /cats/:id -> a.ts#Cats.one (nestjs)",
      "route POST /cats/a -> a.ts#Cats.many (nestjs)",
      "route POST /cats/b -> a.ts#Cats.many (nestjs)",
      "route ALL /dogs/* -> a.ts#Dogs.any (nestjs)",
    ]);
    expect(linkTree({ "a.ts": text }).uses("register")).toContain(
      "a.ts#Cats -> a.ts#Cats.list (exact, scope)",
    );
  });

  it("the code graph finds jobs, messages and GraphQL operations from decorators", () => {
    const text = `
      import { Cron, Interval } from "@nestjs/schedule";
      import { Processor } from "@nestjs/bullmq";
      import { MessagePattern } from "@nestjs/microservices";
      import { Query, Mutation, Resolver } from "@nestjs/graphql";
      class Tasks { @Cron("0 * * * *") hourly() {} @Interval(100) often() {} }
      @Processor("mail") class Mail { process() {} other() {} }
      class Events { @MessagePattern({ cmd: "sum" }) add() {} }
      @Resolver() class Cats { @Query(() => [Cat]) cats() {} @Mutation(() => Cat, { name: "addCat" }) create() {} }
    `;
    expect(found(text)).toEqual([
      "job 0 * * * * -> a.ts#Tasks.hourly (@nestjs/schedule)",
      "job often -> a.ts#Tasks.often (@nestjs/schedule)",
      "job mail -> a.ts#Mail.process (@nestjs/bullmq)",
      "route MESSAGE sum -> a.ts#Events.add (@nestjs/microservices)",
      "route QUERY cats -> a.ts#Cats.cats (@nestjs/graphql)",
      "route MUTATION addCat -> a.ts#Cats.create (@nestjs/graphql)",
    ]);
  });

  it("the code graph ignores decorators that have the name of a framework's decorator but come from another module", () => {
    const text =
      'import { Controller, Get } from "./mine"; @Controller("x") class A { @Get() b() {} }';
    expect(found(text)).toEqual([]);
  });
});

describe("tRPC and GraphQL operations", () => {
  it("the code graph puts the names of tRPC routers in front of their procedures", () => {
    const text = `
      import { initTRPC } from "@trpc/server";
      const t = initTRPC.create();
      export const app = t.router({
        hello: t.procedure.query(() => 1),
        user: t.router({ add: t.procedure.input(x).mutation(add) }),
        config: 1,
      });
      function add() {}
    `;
    expect(found(text)).toEqual([
      "route QUERY hello -> a.ts# (trpc)",
      "route MUTATION user.add -> a.ts#add (trpc)",
    ]);
  });

  it("the code graph finds GraphQL operations in a map of resolvers", () => {
    const text = `
      import { ApolloServer } from "@apollo/server";
      const resolvers = { Query: { users, one: () => 1 }, User: { name() {} } };
      new ApolloServer({ typeDefs, resolvers: { Mutation: { add: users } } });
      function users() {}
    `;
    expect(found(text)).toEqual([
      "route QUERY users -> a.ts#users (graphql)",
      "route QUERY one -> a.ts#resolvers (graphql)",
      "route MUTATION add -> a.ts#users (graphql)",
    ]);
  });
});

describe("commands", () => {
  it("the code graph names commands of commander, cac, yargs and citty as users type them", () => {
    const text = `
      import { Command, program } from "commander"; import cac from "cac"; import yargs from "yargs"; import { defineCommand } from "citty";
      program.command("build <dir>").option("-x").action(build);
      const serve = new Command("serve"); serve.description("x").action(build);
      const cli = cac("tool"); cli.command("dev [root]", "Start").action(build); cli.command("", "Default").action(build);
      yargs(process.argv).command("lint [files]", "Lint", (y) => y, build).command({ command: "fix", handler: build });
      export default defineCommand({ meta: { name: "init" }, run() { build(); } });
      function build() {}
    `;
    expect(found(text)).toEqual([
      "command build -> a.ts#build (commander)",
      "command serve -> a.ts#build (commander)",
      "command dev -> a.ts#build (cac)",
      "command (default) -> a.ts#build (cac)",
      "command lint -> a.ts#build (yargs)",
      "command fix -> a.ts#build (yargs)",
      "command init -> a.ts#default (citty)",
    ]);
  });

  it("the code graph ignores command calls of an unknown library", () => {
    expect(
      found('import { bus } from "./bus"; bus.command("x").action(run); function run() {}'),
    ).toEqual([]);
  });
});

describe("jobs", () => {
  it("the code graph finds jobs that run on a schedule or from a queue", () => {
    const text = `
      import cron from "node-cron"; import { CronJob } from "cron"; import { Worker } from "bullmq"; import schedule from "node-schedule";
      cron.schedule("* * * * *", tick);
      new CronJob("0 0 * * *", tick);
      new Worker("mail", tick);
      schedule.scheduleJob("0 1 * * *", () => tick());
      function tick() {}
    `;
    expect(found(text)).toEqual([
      "job * * * * * -> a.ts#tick (node-cron)",
      "job 0 0 * * * -> a.ts#tick (cron)",
      "job mail -> a.ts#tick (bullmq)",
      "job 0 1 * * * -> a.ts# (node-schedule)",
    ]);
  });

  it("the code graph does not report a worker thread as a job", () => {
    expect(found('import { Worker } from "node:worker_threads"; new Worker("./x.js");')).toEqual(
      [],
    );
  });
});

describe("files that a framework finds by their path", () => {
  it.each([
    [
      "app/(shop)/items/[id]/page.tsx",
      "export default function Page() {}",
      ["page /items/:id -> %#Page (next)"],
    ],
    [
      "src/app/api/users/route.ts",
      "export async function GET() {} export const helper = 1;",
      ["route GET /api/users -> %#GET (next)"],
    ],
    ["pages/index.tsx", "export default () => null;", ["page / -> %#default (next)"]],
    [
      "pages/api/[...all].ts",
      "export default function handler() {}",
      ["route ALL /api/*all -> %#handler (next)"],
    ],
    [
      "server/api/users/[id].get.ts",
      "export default defineEventHandler(() => 1);",
      ["route GET /api/users/:id -> %#default (nuxt)"],
    ],
    [
      "src/routes/blog/[slug]/+server.ts",
      "export const POST = () => 1;",
      ["route POST /blog/:slug -> %#POST (sveltekit)"],
    ],
    [
      "src/routes/+page.server.ts",
      "export function load() {}",
      ["route load / -> %#load (sveltekit)"],
    ],
    [
      "app/routes/users.$id.tsx",
      "export function loader() {} export default function User() {}",
      ["route GET /users/:id -> %#loader (remix)", "page /users/:id -> %#User (remix)"],
    ],
    [
      "src/button.stories.tsx",
      "export default {}; export const Big = {};",
      ["page story % -> %# (storybook)"],
    ],
    ["src/a.test.ts", 'import { it } from "vitest"; it("x", () => {});', ["test % -> %# (vitest)"]],
    [
      "functions/mail.ts",
      "export const handler = async () => 1;",
      ["route % -> %#handler (serverless)"],
    ],
    [
      "src/worker.ts",
      "export default { fetch() {}, scheduled() {} };",
      ["route fetch % -> %#default (worker)", "job scheduled % -> %#default (worker)"],
    ],
    ["src/pages.ts", "export default 1;", []],
    ["src/handler.ts", "export const handler = () => 1;", []],
  ])("the code graph finds the entrypoints of the file %s by its path", (path, text, expected) => {
    expect(found(text, path)).toEqual(expected.map((line) => line.replaceAll("%", path)));
  });
});

describe("a package.json", () => {
  it("the code graph finds the commands and the exported modules of a package.json", () => {
    const manifest = {
      name: "@scope/tool",
      bin: "./cli.js",
      main: "./index.cjs",
      exports: { ".": { import: "./index.js", require: "./index.cjs" }, "./sub/*": ["./sub/*.js"] },
    };
    expect(manifestEntrypoints(manifest)).toEqual([
      { kind: "command", name: "tool", path: "./cli.js", field: "bin" },
      { kind: "package", name: "@scope/tool", path: "./index.cjs", field: "main" },
      { kind: "package", name: "@scope/tool", path: "./index.js", field: "exports" },
      { kind: "package", name: "@scope/tool", path: "./index.cjs", field: "exports" },
      { kind: "package", name: "@scope/tool/sub/*", path: "./sub/*.js", field: "exports" },
    ]);
  });

  it.each([
    [{}],
    [{ bin: 1, main: null, exports: 3, browser: [] }],
    [{ exports: { ".": { a: null } } }],
  ])("the code graph finds no entrypoints in a package.json with %j", (manifest) => {
    expect(manifestEntrypoints(manifest)).toEqual([]);
  });
});
