import { createScanner } from "jsonc-parser";
import type { Node } from "jsonc-parser";

// These edits change only the member that is added or removed. The edits of jsonc-parser format the
// whole object again, and move or delete the comments beside a member.

interface Style {
  /** The spaces or the tab of one level. */
  readonly unit: string;
  readonly eol: string;
}

function readStyle(text: string): Style {
  const [, unit = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  return { unit: unit.startsWith("\t") ? "\t" : unit, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function nodeEnd({ offset, length }: Node): number {
  return offset + length;
}

/** The position after the comma that follows; undefined if no comma follows. */
function afterComma(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getPosition() : undefined;
}

/** The end of what comes before a position: of a member, a comment or a brace. */
function endBefore(text: string, position: number): number {
  return text.slice(0, position).trimEnd().length;
}

function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))![0];
}

function valueText(value: unknown, indent: string, { unit, eol }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

function isOneLine(text: string, node: Node): boolean {
  return !text.slice(node.offset, nodeEnd(node)).includes("\n");
}

/** Adds a member at the end of an object. */
export function addMember(text: string, object: Node, key: string, value: unknown): string {
  const style = readStyle(text);
  const members = object.children ?? [];
  const last = members.at(-1);
  const name = JSON.stringify(key);
  if (last !== undefined && isOneLine(text, object)) {
    return `${text.slice(0, nodeEnd(last))}, ${name}: ${JSON.stringify(value)}${text.slice(nodeEnd(last))}`;
  }
  const close = nodeEnd(object) - 1;
  const at = endBefore(text, close);
  const base = indentAt(text, close);
  const indent = last === undefined ? base + style.unit : indentAt(text, last.offset);
  const hasComma = last !== undefined && afterComma(text, nodeEnd(last)) !== undefined;
  const member = `${style.eol}${indent}${name}: ${valueText(value, indent, style)}${hasComma ? "," : ""}`;
  const needsBreak = !text.slice(at, close).includes("\n");
  const tail = needsBreak ? style.eol + base + text.slice(close) : text.slice(at);
  if (last === undefined || hasComma) return text.slice(0, at) + member + tail;
  return `${text.slice(0, nodeEnd(last))},${text.slice(nodeEnd(last), at)}${member}${tail}`;
}

export function replaceValue(text: string, node: Node, value: unknown): string {
  const isCompact = isOneLine(text, node) && node.type === "object";
  const indent = indentAt(text, node.offset);
  const after = isCompact ? JSON.stringify(value) : valueText(value, indent, readStyle(text));
  return text.slice(0, node.offset) + after + text.slice(nodeEnd(node));
}

/** Removes a member with the comma that it needed. Comments beside it stay. */
export function removeMember(text: string, object: Node, member: Node): string {
  const members = object.children ?? [];
  const previous = members[members.indexOf(member) - 1];
  const comma = afterComma(text, nodeEnd(member));
  const end = comma ?? nodeEnd(member);
  const start = endBefore(text, member.offset);
  // Without its line break, a line comment before the member would hide what comes after it.
  const gap = text.slice(start, member.offset);
  const needsGap = gap.includes("\n") && !/^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  const rest = needsGap ? gap + text.slice(end).replace(/^[ \t]+/, "") : text.slice(end);
  const head = text.slice(0, start);
  const inside = text.slice(object.offset + 1, start) + text.slice(end, nodeEnd(object) - 1);
  if (inside.trim() === "")
    return `${text.slice(0, object.offset)}{}${text.slice(nodeEnd(object))}`;
  const isLast = members.at(-1) === member;
  const before = isLast && comma === undefined ? withoutComma(head, previous) : head;
  return before + rest;
}

function withoutComma(head: string, previous: Node | undefined): string {
  const comma = previous && afterComma(head, nodeEnd(previous));
  return comma === undefined ? head : head.slice(0, comma - 1) + head.slice(comma);
}
