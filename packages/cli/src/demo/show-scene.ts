import { isRecord } from "@waybill/core/schema";
import type { Io } from "../io.ts";
import { printJson, printRaw, printText } from "../io.ts";
import { hasColours, painted, plain } from "../output/terminal.ts";
import { treeLines } from "../output/tree.ts";
import type { Scene } from "./scenes.ts";
import type { Stage } from "./stage.ts";

/** The most lines of an answer to show, so that the tour fits on one screen. */
const MAX_LINES = 2;
const MAX_WIDTH = 96;

/** A program gets every answer in full. */
async function showPlain(io: Io, stage: Stage, { title, command, play }: Scene): Promise<void> {
  await printText(io, `\n# ${title}`);
  if (command !== undefined) await printText(io, `$ ${command}`);
  for await (const answer of play(stage)) await printJson(io, answer);
}

/** The most important part of an answer. */
function essence(answer: unknown): unknown {
  if (!isRecord(answer)) return answer;
  const { ok, data, error, results, meta } = answer;
  if (isRecord(error)) return { [String(error["code"])]: error["message"] };
  if (Array.isArray(results)) return Object.fromEntries(results.map(stepLine));
  if (ok !== true) return answer;
  // For a call with a trace, the trace is the most important part.
  const isTraced = isRecord(meta) && meta["attempts"] !== undefined;
  return { ...shortData(data), ...(isTraced && { reason: meta["reason"] }) };
}

/**
 * Shortens data: a list to its first item and a count, names to one line, and an object to its
 * members without the id.
 */
function shortData(data: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(data)) return { data };
  const { items, value } = data;
  if (Array.isArray(items)) return firstItem(items);
  if (Array.isArray(value)) return { value: value.join(", ") };
  const { id: _id, ...readable } = data;
  return readable;
}

function firstItem(items: readonly unknown[]): Readonly<Record<string, unknown>> {
  const { number, title } = isRecord(items[0]) ? items[0] : {};
  return { [`#${String(number)}`]: `${String(title)}, and ${items.length - 1} more` };
}

/** One line for a step of a chain: the call, and the URL of what it created. */
function stepLine(result: unknown, index: number): [string, unknown] {
  const { data, meta } = isRecord(result) ? result : {};
  const name = isRecord(meta) ? String(meta["capability_id"]) : `step ${index + 1}`;
  return [name, isRecord(data) ? (data["url"] ?? "done") : essence(result)];
}

function shortenedLines(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_LINES);
  return lines.length > shown.length ? [...shown.slice(0, -1), `${shown.at(-1)} …`] : shown;
}

/** Shortens strings before they are coloured, so that no colour code is cut off. */
function cutTexts(value: unknown): unknown {
  const text = JSON.stringify(value, (_name, each: unknown) =>
    typeof each === "string" && each.length > MAX_WIDTH ? `${each.slice(0, MAX_WIDTH)}…` : each,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

/** Joins the pages of a list to one answer. For other scenes, returns the last answer. */
function joinPages(answers: readonly unknown[]): unknown {
  const items = answers.flatMap((answer) => {
    const data = isRecord(answer) ? answer["data"] : undefined;
    return isRecord(data) && Array.isArray(data["items"]) ? (data["items"] as unknown[]) : [];
  });
  return items.length > 0 ? { ok: true, data: { items } } : answers.at(-1);
}

/** A person gets one screen: title, reason, command and last answer. */
async function showPretty(io: Io, stage: Stage, scene: Scene, at: string): Promise<void> {
  const paint = hasColours(io) ? painted : plain;
  // A blank line between scenes, none before the first.
  const gap = at.startsWith("1/") ? "" : "\n";
  await printRaw(io, `${gap}${paint("bold", `${at} ${scene.title}`)}`);
  await printRaw(io, paint("dim", scene.says));
  if (scene.command !== undefined) await printRaw(io, `${paint("green", "$")} ${scene.command}`);
  const answers: unknown[] = [];
  for await (const answer of scene.play(stage)) answers.push(answer);
  const shown = cutTexts(essence(joinPages(answers)));
  for (const line of shortenedLines(treeLines(shown, paint))) {
    await printRaw(io, `  ${line.replaceAll("\n", " ")}`);
  }
}

export function showScene(io: Io, stage: Stage, scene: Scene, at: string): Promise<void> {
  return io.isTTY ? showPretty(io, stage, scene, at) : showPlain(io, stage, scene);
}
