import type { Decorator } from "oxc-parser";
import type { Extraction } from "../symbols/extract/extraction.ts";
import { importedDecorators, decoratorStrings } from "./decorators.ts";
import type { ImportedDecorator } from "./decorators.ts";
import type { Controller } from "./notes.ts";
import { joinPaths } from "./paths.ts";

const METHODS: Readonly<Record<string, string>> = {
  Get: "GET",
  Post: "POST",
  Put: "PUT",
  Patch: "PATCH",
  Delete: "DELETE",
  Head: "HEAD",
  Options: "OPTIONS",
  All: "ALL",
  Sse: "GET",
  Search: "SEARCH",
};

const HTTP: Readonly<Record<string, string>> = {
  "@nestjs/common": "nestjs",
  "routing-controllers": "routing-controllers",
};
const QUEUES = /^@nestjs\/bull(?:mq)?$/;
const SCHEDULE = "@nestjs/schedule";
/** The decorators for messages by package, with the kind of message. */
const MESSAGES: Readonly<Record<string, readonly [string, string]>> = {
  MessagePattern: ["@nestjs/microservices", "MESSAGE"],
  EventPattern: ["@nestjs/microservices", "EVENT"],
  GrpcMethod: ["@nestjs/microservices", "GRPC"],
  SubscribeMessage: ["@nestjs/websockets", "WS"],
};

/** The path prefix of a controller class, from its decorators. */
export function findController(x: Extraction, list: readonly Decorator[]): Controller | undefined {
  for (const decorator of importedDecorators(x, list)) {
    const { name, specifier } = decorator;
    const framework = HTTP[specifier];
    if (framework && /^(?:Json)?Controller$/.test(name)) {
      return { kind: "http", framework, names: decoratorStrings(decorator.arguments, "path") };
    }
    if (name === "Processor" && QUEUES.test(specifier)) {
      return {
        kind: "queue",
        framework: specifier,
        names: decoratorStrings(decorator.arguments, "name"),
      };
    }
  }
  return undefined;
}

/**
 * The routes, jobs and messages of a method, from its decorators. A queue worker needs no
 * decorator.
 */
export function servedByMethod(
  x: Extraction,
  list: readonly Decorator[],
  method: string,
  symbol: number,
): void {
  const { controller } = x.notes;
  if (controller?.kind === "queue" && method === "process") {
    addNestEntry(x, "job", controller.names[0] || "(queue)", controller.framework, symbol);
  }
  for (const decorator of importedDecorators(x, list)) {
    if (decorator.name in METHODS && controller?.kind === "http") {
      route(x, decorator, controller, symbol);
    } else if (decorator.specifier === SCHEDULE || QUEUES.test(decorator.specifier)) {
      job(x, decorator, method, symbol);
    } else message(x, decorator, method, symbol);
  }
}

function message(
  x: Extraction,
  { name, specifier, arguments: given }: ImportedDecorator,
  method: string,
  symbol: number,
): void {
  const [from, word] = MESSAGES[name] ?? [];
  if (from !== specifier) return;
  for (const text of decoratorStrings(given, "cmd")) {
    addNestEntry(x, "route", `${word} ${text === "" ? method : text}`, specifier, symbol);
  }
}

function route(
  x: Extraction,
  decorator: ImportedDecorator,
  controller: Controller,
  symbol: number,
): void {
  if (HTTP[decorator.specifier] !== controller.framework) return;
  for (const prefix of controller.names) {
    for (const path of decoratorStrings(decorator.arguments, "path")) {
      const name = `${METHODS[decorator.name]!} ${joinPaths(prefix, path)}`;
      addNestEntry(x, "route", name, controller.framework, symbol);
    }
  }
}

function job(x: Extraction, decorator: ImportedDecorator, method: string, symbol: number): void {
  if (!/^(?:Cron|Interval|Timeout|Process)$/.test(decorator.name)) return;
  const [name = ""] = decoratorStrings(decorator.arguments, "name");
  addNestEntry(x, "job", name === "" ? method : name, decorator.specifier, symbol);
}

function addNestEntry(
  x: Extraction,
  kind: "route" | "job",
  name: string,
  framework: string,
  symbol: number,
): void {
  x.entrypoint({ kind, name, framework, ...x.symbolPlace(symbol) });
}
