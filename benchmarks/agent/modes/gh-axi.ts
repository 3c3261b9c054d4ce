import { isRecord } from "@waybill/core/schema";
import { parsePrinted } from "../play/expression.ts";
import type { Stage } from "../play/stage.ts";
import { turn } from "../play/text.ts";
import type { Scenario, Turn } from "../types.ts";
import { ghKnown } from "./gh.ts";
import { AXI_FORMS, axiRow, checksSummary } from "./gh-axi-forms.ts";
import type { AxiForm } from "./gh-axi-forms.ts";
import { NoWay } from "./mode.ts";
import type { PlayMode } from "./mode.ts";
import { toonText } from "./toon.ts";

/**
 * The tokens of the help page that its authors used in their runs, without the output of its
 * session hook.
 */
const START = { what: "page of gh-axi", tokens: 110 } as const;

const JSON_FIELDS = / --json (?<fields>[\w,]+)/u;
const FILTER = / -q (?:'[^']*'|\S+)$/u;
/** gh-axi accepts only long option names. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  "-t": "--title",
  "-L": "--limit",
  "-l": "--label",
  "-c": "--color",
  "-H": "--head",
  "-B": "--base",
  "-d": "--draft",
  "-n": "--notes",
  "-s": "--squash",
  "-m": "--merge",
};

function longName(flag: string, group: string): string {
  if (flag === "-b") return group === "run list" ? "--branch" : "--body";
  if (flag === "-r") return group === "workflow run" ? "--ref" : "--reason";
  if (flag === "-f") return "--field";
  return LONG_NAMES[flag] ?? flag;
}

function getGroup(line: string): string {
  return /^gh (\w+ \w+)/u.exec(line)?.[1] ?? "";
}

function axiLine(line: string, group: string, more: readonly string[]): string {
  const bare = line.replace(JSON_FIELDS, "").replace(FILTER, "").replace(/^gh /u, "gh-axi ");
  const named = bare.replaceAll(/ (-[a-zA-Z])(?= )/gu, (_, flag: string) => {
    return ` ${flag === "-R" ? flag : longName(flag, group)}`;
  });
  if (more.includes("comments")) return `${named} --comments`;
  return more.length === 0 ? named : `${named} --fields ${more.join(",")}`;
}

/** The requested fields that gh-axi shows only with `--fields`. */
function furtherFields(line: string, { json = "" }: AxiForm): string[] {
  const asked = JSON_FIELDS.exec(line)?.groups?.["fields"]?.split(",") ?? [];
  return asked.filter((name) => !json.split(",").includes(name));
}

function lineGap(line: string): string | undefined {
  if (line.startsWith("gh api ")) return undefined;
  const group = getGroup(line);
  const form = AXI_FORMS[group];
  if (form === undefined) return `its ${group} is not known`;
  const missing = furtherFields(line, form).find((name) => form.more?.includes(name) !== true);
  return missing === undefined ? undefined : `its ${group} shows no ${missing}`;
}

/** Why gh-axi cannot play a scenario; undefined when it can. */
export function axiGap({ kind, gh }: Scenario): string | undefined {
  if (typeof gh === "string") return gh;
  if (kind === "bulk") return "a shell takes its tables apart, and no lines were written for it";
  return gh.run.map(lineGap).find((why) => why !== undefined);
}

/** The number in a line, or of the object that it created. */
function numberIn(line: string, printed: string): string {
  return /^gh \w+ \w+ (\d+)/u.exec(line)?.[1] ?? /\/(\d+)\s*$/u.exec(printed)?.[1] ?? "";
}

/** The line of `gh` with which gh-axi gets its data. After a write it reads what was written. */
function dataLine(line: string, printed: string, form: AxiForm, more: readonly string[]): string {
  const fields = [form.json, ...more].join(",");
  if (form.asks === undefined) {
    return line.replace(FILTER, "").replace(JSON_FIELDS, ` --json ${fields}`);
  }
  return `gh ${form.asks} ${numberIn(line, printed)} -R octo/hello --json ${fields}`;
}

function axiText(form: AxiForm, data: unknown, more: readonly string[]): string {
  if (Array.isArray(data)) {
    const rows = data.filter(isRecord).map((row) => ({
      ...axiRow(form, row),
      ...Object.fromEntries(more.map((name) => [name, row[name] ?? null])),
    }));
    return `count: ${rows.length}\n${toonText({ [form.label]: rows })}`;
  }
  if (!isRecord(data)) return "";
  const checks = data["statusCheckRollup"];
  if (form.label === "checks" && Array.isArray(checks)) {
    const rows = checks.filter(isRecord).map((row) => axiRow(form, row));
    return `summary: ${checksSummary(data)}\n${toonText({ checks: rows })}`;
  }
  const comments = more.includes("comments") ? data["comments"] : undefined;
  const told = Array.isArray(comments) ? comments.filter(isRecord) : [];
  const list = told.map(({ author, body }) => ({
    author: isRecord(author) ? author["login"] : null,
    created: "10mo ago",
    body,
  }));
  const detail = toonText({ [form.label]: axiRow(form, data) });
  return list.length === 0 ? detail : `${detail}\n${toonText({ comments: list })}`;
}

/** The answer without data: a log, or a confirmation. */
function toldText(line: string, printed: string, form: AxiForm): string {
  if (form.label === "run_log") {
    return toonText({ run_log: { mode: "log-failed", output: printed, truncated: false } });
  }
  return toonText({ [form.label]: { number: Number(numberIn(line, printed)), status: "ok" } });
}

function failureText(printed: string): string {
  const [first = ""] = printed.split("\n");
  return toonText({
    error: first,
    code: /resolve to|not found/u.test(first) ? "NOT_FOUND" : "UNKNOWN",
  });
}

function isFailure(printed: string): boolean {
  return /^(?:GraphQL: |X |HTTP |pull request create failed|failed to|could not|label with name)/u.test(
    printed,
  );
}

/** Members that `gh-axi api` leaves out of answers of the REST API. */
const NOISE =
  /^(?:node_id|url|_links|reactions|permissions|verification|score|site_admin|\w+_summary|performed_via_github_app)$|_url$/u;

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !NOISE.test(name));
  return Object.fromEntries(
    kept.map(([name, inner]) => [
      name,
      name === "user" && isRecord(inner) ? inner["login"] : withoutNoise(inner),
    ]),
  );
}

/** `gh-axi api` has no filter, so a read has the whole answer. The answer to a write is left as it is. */
async function apiTurn(stage: Stage, { purpose, send, read }: Turn): Promise<Turn> {
  const line = send.text ?? "";
  const sent = line.replace(FILTER, "").replace(/^gh /u, "gh-axi ");
  const isWrite = / -(?:X|F|f) (?!query='?\{)/u.test(line);
  if (isWrite || !FILTER.test(line)) return turn(purpose, "gh-axi api", sent, read.text ?? "");
  const { stdout } = await stage.shell(line.replace(FILTER, ""));
  const whole = toonText(withoutNoise(parsePrinted(stdout)));
  return turn(purpose, "gh-axi api", sent, stage.steady(whole));
}

/** Adds gh-axi's hints for a next step to an answer. */
function withHints(answer: Turn, hints: number): Turn[] {
  if (hints === 0) return [answer];
  const send = { what: "nothing", text: "", tokens: 0 };
  const read = { what: "hints of gh-axi", tokens: hints };
  return [answer, { purpose: answer.purpose, send, read, joined: true }];
}

/** Replaces the expert's line of `gh` by the line and the answer of gh-axi. */
async function axiTurns(stage: Stage, known: Turn): Promise<Turn[]> {
  const [line, printed] = [known.send.text ?? "", known.read.text ?? ""];
  const group = getGroup(line);
  if (line.startsWith("gh api ")) return [await apiTurn(stage, known)];
  const form = AXI_FORMS[group];
  if (form === undefined) return [known];
  const more = furtherFields(line, form);
  const say = (text: string): Turn =>
    turn(known.purpose, `gh-axi ${group}`, axiLine(line, group, more), stage.steady(text));
  if (isFailure(printed)) return [say(failureText(printed))];
  if (form.json === undefined) return withHints(say(toldText(line, printed, form)), form.hints);
  const { stdout } = await stage.shell(dataLine(line, printed, form, more));
  return withHints(say(axiText(form, parsePrinted(stdout), more)), form.hints);
}

/** gh-axi, estimated: the data come from `gh`, and the formats from gh-axi's sources. */
export const ghAxi: PlayMode = async (scene) => {
  const gap = axiGap(scene.scenario);
  if (gap !== undefined) throw new NoWay(gap);
  const made = await ghKnown(scene);
  const turns: Turn[] = [];
  for (const known of made.turns) turns.push(...(await axiTurns(scene.stage, known)));
  return { ...made, definitions: [START], turns };
};
