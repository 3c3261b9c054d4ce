import { isRecord } from "@waybill/core/schema";
import type { Side, Width } from "./change.ts";
import { sameText, asSchema, jsonText } from "./walk.ts";
import type { Schema, Walk } from "./walk.ts";

function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isRequired(schema: Schema, name: string): boolean {
  return Array.isArray(schema["required"]) && schema["required"].includes(name);
}

function schemaMember(schema: Schema, name: string): unknown {
  const members = asSchema(schema["properties"]);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** A new member breaks callers only if they must send it. */
function additionWidth(side: Side, isNeeded: boolean): Width {
  return side === "output" || isNeeded ? "narrower" : "wider";
}

function compareMember(before: Schema, after: Schema, name: string, path: string, walk: Walk) {
  const [old, now] = [schemaMember(before, name), schemaMember(after, name)];
  const [was, is] = [isRequired(before, name), isRequired(after, name)];
  if (old === undefined) {
    return walk.report(path, is ? "added, required" : "added", additionWidth(walk.side, is));
  }
  if (now === undefined) return walk.report(path, "removed", "other");
  if (was !== is) {
    walk.report(path, is ? "now required" : "now optional", is ? "narrower" : "wider");
  }
  walk.into(old, now, path);
}

function compareOthers(before: Schema, after: Schema, path: string, walk: Walk): void {
  const old = before["additionalProperties"] ?? true;
  const now = after["additionalProperties"] ?? true;
  if (isRecord(old) && isRecord(now)) return walk.into(old, now, memberPath(path, "*"));
  if (sameText(old, now)) return;
  const width = now === false || old === true ? "narrower" : "wider";
  walk.report(path, `other members ${jsonText(old)} → ${jsonText(now)}`, width);
}

export function compareMembers(before: Schema, after: Schema, path: string, walk: Walk): void {
  const names = [before, after].flatMap((schema) => Object.keys(asSchema(schema["properties"])));
  for (const name of new Set(names))
    compareMember(before, after, name, memberPath(path, name), walk);
  compareOthers(before, after, path, walk);
}
