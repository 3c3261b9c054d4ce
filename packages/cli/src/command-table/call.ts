import type { Command, OptionSpec } from "../command.ts";
import { PRETTY, BRIEF, ASKED_ROOT } from "./options.ts";

/** The output options of lists. Programs get JSON by default. */
const LISTED_AS: Readonly<Record<string, OptionSpec>> = {
  json: { help: "Print JSON, even on a terminal" },
  brief: { help: "Print compact text, even in a pipe" },
};
const DRY_RUN: OptionSpec = { help: "Show the requests without sending them" };
const KEY: OptionSpec = { value: "KEY", help: "Idempotency key: makes a write safe to repeat" };
const TRACE: OptionSpec = { help: "Add attempts, timings and cost to the answer" };
const DEADLINE: OptionSpec = { value: "N", help: "Time limit in milliseconds" };
const ACCOUNT: OptionSpec = {
  value: "NAME",
  help: "Use this connected account (default: that of the source)",
};
const WAIT: OptionSpec = {
  value: "N",
  help: "Wait N milliseconds for slow sources (default: 3000)",
};
const NAMES = "A name without a type is a string; ? marks optional inputs";

/** Commands that call or find capabilities. */
export const CALL_COMMANDS: readonly Command[] = [
  {
    name: "run",
    summary: "Call one capability",
    usage: "<id> [thing] [key=value …] [field …]",
    options: {
      params: { value: "JSON|-|@FILE", help: "Inputs as JSON, - for stdin, or @FILE" },
      input: { value: "JSON|-|@FILE", help: "The same as --params" },
      save: { value: "FILE", help: "Save the file in the answer, such as an image, to FILE" },
      trace: TRACE,
      select: {
        value: "PATHS",
        help: "Return only these fields: number,author.login,items.*.title ([] returns all)",
      },
      json: { value: "PATHS", help: "The same as --select" },
      query: { value: "JMESPATH", help: "Return only the value of this JMESPath expression" },
      page: { value: "CURSOR", help: "Read the next page: pass meta.pagination.end_cursor" },
      pages: { value: "N", help: "Read up to N pages of a list, one answer per line" },
      "max-tokens": { value: "N", help: "Keep the answer within N tokens, at least 200" },
      "deadline-ms": DEADLINE,
      route: { value: "ROUTE", help: "Use only this route: cli, graphql, rest, mcp or local" },
      account: ACCOUNT,
      "idempotency-key": KEY,
      "dry-run": DRY_RUN,
      approve: { value: "TEXT", help: "Approve the call: pass details.approve from its error" },
      include: { value: "GROUPS", help: "Extra field groups, such as reviews,checks" },
      via: { value: "URL", help: "Run the call on NATS workers: nats://host:port/service" },
      root: ASKED_ROOT,
      record: { help: "Record the call, without secrets, for waybill inspect" },
      brief: BRIEF,
      pretty: PRETTY,
    },
    flagHint: "Inputs are written key=value or --key value",
    takesInputs: true,
    notes: [
      "Short form: waybill run issue.view octo/hello#1 title state. octo/hello#1 is a reference, a word",
      "with = is an input, and every other word is a field to select. --key value is key=value, unless",
      "--key is an option.",
      "Values are strings. They are parsed if the capability takes a number, a boolean or JSON. For",
      "a list write key=a key=b. Commas separate values of an enum, and numbers.",
      "key=value overrides the same key in --input.",
      'With "history": "on" in the configuration every call is recorded as with --record.',
    ],
    load: () => import(/* part: run */ "../commands/run.ts"),
  },
  {
    name: "subscribe",
    summary: "Print the events of a subscription, one per line",
    usage: "<id> [key=value …]",
    options: {
      params: { value: "JSON|-|@FILE", help: "Inputs as JSON, - for stdin, or @FILE" },
      limit: { value: "N", help: "Stop after N events (default: 20)" },
      "wait-ms": { value: "N", help: "Stop after N milliseconds (default: 30000)" },
      "max-tokens": { value: "N", help: "Stop before the events have more than N tokens" },
      account: ACCOUNT,
      approve: { value: "TEXT", help: "Approve the call: pass details.approve from its error" },
      root: ASKED_ROOT,
    },
    flagHint: "Inputs are written key=value, without dashes",
    load: () => import("../commands/subscribe.ts"),
  },
  {
    name: "chain",
    summary: "Run several calls in one request; steps can use earlier results",
    usage: "--steps JSON|-|@FILE",
    options: {
      steps: { value: "JSON|-|@FILE", help: "A list of {task, params?, id?, when?, select?}" },
      "on-error": {
        value: "stop|continue",
        help: "After a failure: continue or stop (default: continue; a chain with a write sends nothing if a step is invalid)",
      },
      "merge-writes": { help: "Merge neighbouring writes into one request" },
      trace: TRACE,
      "deadline-ms": DEADLINE,
      record: { help: "Record the calls, without secrets, for waybill inspect" },
      "dry-run": DRY_RUN,
      account: ACCOUNT,
      "idempotency-key": KEY,
      root: ASKED_ROOT,
      brief: BRIEF,
      pretty: PRETTY,
    },
    notes: [
      'To use the result of another step, write {"$from": "issue.data.number"} in an input, where',
      "issue is the id of that step.",
    ],
    load: () => import("../commands/chain.ts"),
  },
  {
    name: "code",
    summary: "Run a program that can call every capability, in a sandbox",
    usage: "'<program>'|-|@FILE",
    options: {
      "idempotency-key": {
        value: "KEY",
        help: "Repeat or resume this run: nothing is written twice",
      },
      approve: {
        value: "TEXT",
        help: "Approve the writes: pass details.approve from the error of the run",
      },
      "dry-run": { help: "Show the writes of the program without sending them" },
      input: { value: "JSON|-|@FILE", help: "The value of the global input" },
      save: { value: "ID", help: "Save the program as a capability: a card in your card folder" },
      "deadline-ms": { value: "N", help: "Stop after N milliseconds (default: 120000)" },
      "max-tokens": { value: "N", help: "Keep the answer within N tokens (default: 10000)" },
      root: ASKED_ROOT,
      record: { help: "Record the calls, without secrets, for waybill inspect" },
      brief: { help: "Print only what the program logged and returned" },
      pretty: PRETTY,
    },
    notes: [
      "The program is JavaScript or TypeScript. The first words of all ids are globals:",
      "  waybill code 'return (await issue.list(\"octo/hello\")).length'",
      "A call takes a reference and an object. Lists are arrays of all items. Failures throw.",
      "waybill.search(words) and waybill.signature(id) find and describe capabilities.",
    ],
    load: () => import("../commands/code.ts"),
  },
  {
    name: "capabilities list",
    summary: "List the capabilities available here",
    usage: "",
    options: {
      domain: { value: "NAME", help: "List only ids below this one, such as issue" },
      "wait-ms": WAIT,
      ...LISTED_AS,
    },
    load: () => import("../commands/list.ts"),
  },
  {
    name: "capabilities explain",
    summary: "Show the inputs, outputs and routes of a capability",
    usage: "<id>",
    options: LISTED_AS,
    notes: [NAMES],
    load: () => import(/* part: explain */ "../commands/explain.ts"),
  },
  {
    name: "capabilities search",
    summary: "Find capabilities by words",
    usage: "<words>",
    options: { "wait-ms": WAIT, ...LISTED_AS },
    load: () => import("../commands/search.ts"),
  },
];
