import { isRecord } from "@waybill/core/schema";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { sum } from "../figures/index.ts";
import { parsePrinted } from "../play/expression.ts";
import type { Trajectory } from "../types.ts";
import { count } from "./tables.ts";

type Row = Readonly<Record<string, unknown>>;

function cell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvText(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [
    names.join(","),
    ...rows.map((row) => names.map((name) => cell(row[name])).join(",")),
  ].join("\n");
}

/** The rows of a list, in the answer itself or in one of its members. */
function rowsIn(answer: unknown): Row[] | undefined {
  const lists = isRecord(answer) ? Object.values(answer) : [answer];
  const list = lists.find((each) => Array.isArray(each) && each.length > 1 && each.every(isRecord));
  return list as Row[] | undefined;
}

/** Estimates the tokens of GitHub's MCP server with its CSV form of lists. */
export function csvNote(trajectories: readonly Trajectory[]): string[] {
  const plays = trajectories.filter(
    ({ mode, variant }) => mode === "github-mcp" && variant === "plain",
  );
  const lists = plays.flatMap(({ turns }) =>
    turns.flatMap(({ read }) => {
      const rows = rowsIn(parsePrinted(read.text ?? ""));
      return rows === undefined ? [] : [[read.tokens, countTokens(csvText(rows))] as const];
    }),
  );
  if (lists.length === 0) return [];
  const [json, csv] = [
    sum(lists.map(([tokens]) => tokens)),
    sum(lists.map(([, tokens]) => tokens)),
  ];
  return [
    `With its CSV form, the ${lists.length} lists of GitHub's MCP server would take ${count(csv)} tokens instead of ${count(json)} (estimated from the recorded answers).`,
  ];
}
