import type { CallExpression, Expression } from "oxc-parser";
import { literalText } from "../modules/literal-text.ts";
import type { CallSite } from "./call-site.ts";
import { objectMember, textMember } from "./objects.ts";

const PACKAGES: Readonly<Record<string, string>> = {
  commander: "commander",
  "@commander-js/extra-typings": "commander",
  yargs: "yargs",
  "yargs/yargs": "yargs",
  cac: "cac",
  citty: "citty",
};

export const COMMAND_CALLS = ["command", "action", "defineCommand"];

/** Commands of commander, cac, yargs and citty, with the names that users type. */
export function command(site: CallSite): void {
  const origin = site.origin();
  const framework = origin && PACKAGES[origin.specifier];
  if (!framework) return;
  if (site.name === "defineCommand" && framework === "citty") return described(site);
  if (site.name === "command" && framework === "yargs") return yargsCommand(site);
  if (site.name === "action" && framework !== "yargs") return action(site, framework);
}

/** Reads a command of commander or cac: `.command("x").action(run)`. */
function action(site: CallSite, framework: string): void {
  const name = site.subject ? chainedName(site, site.subject) : undefined;
  site.register("command", name ?? "(default)", framework, 0);
}

function chainedName(site: CallSite, subject: Expression): string | undefined {
  let node: Expression = subject;
  for (let step = 0; step < 60; step++) {
    if (node.type === "NewExpression") return commandName(literalText(node.arguments[0]));
    if (node.type === "Identifier") return site.x.notes.commands.get(node.name);
    if (node.type !== "CallExpression") return undefined;
    const called = calledName(node);
    if (called === "command" || called === "name")
      return commandName(literalText(node.arguments[0]));
    if (node.callee.type !== "MemberExpression") return undefined;
    node = node.callee.object;
  }
  return undefined;
}

function calledName({ callee }: CallExpression): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  return callee.property.name;
}

/** The name of a command without its arguments: `serve` for `serve [port]`. */
function commandName(text: string | undefined): string | undefined {
  return text?.trim().split(/\s+/)[0] || undefined;
}

/** The name of a command in a variable, so that `.action` may follow on another line. */
export function commandIn(value: Expression): string | undefined {
  let node = value;
  for (let step = 0; step < 60; step++) {
    if (node.type === "NewExpression") {
      const isCommand = node.callee.type === "Identifier" && node.callee.name === "Command";
      return isCommand ? commandName(literalText(node.arguments[0])) : undefined;
    }
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
    if (calledName(node) === "command") return commandName(literalText(node.arguments[0]));
    node = node.callee.object;
  }
  return undefined;
}

/** yargs: `.command("x", "text", builder, run)`, or a module that describes it. */
function yargsCommand(site: CallSite): void {
  const names = site.argument(0);
  const first = names?.type === "ArrayExpression" ? names.elements[0] : names;
  const name = first?.type === "SpreadElement" ? undefined : commandName(literalText(first));
  if (name !== undefined)
    site.register("command", name, "yargs", site.node.arguments.length > 3 ? 3 : -1);
  else if (names?.type === "ObjectExpression") {
    const written = commandName(textMember(names, "command"));
    if (written !== undefined) site.registerMember("command", written, "yargs", "handler");
  }
}

/** citty: `defineCommand({ meta: { name: "x" }, run() {} })`. */
function described(site: CallSite): void {
  const options = site.argument(0);
  if (options?.type !== "ObjectExpression" || !objectMember(options, "run")) return;
  const meta = objectMember(options, "meta");
  const name = meta?.type === "ObjectExpression" ? textMember(meta, "name") : undefined;
  site.registerMember("command", name ?? "(default)", "citty", "run");
}
