import { fail } from "@waybill/core";
import { checkRules, suggestRules, unmatchedPatterns } from "../../rules/index.ts";
import type { LayerRules, Violation } from "../../rules/index.ts";
import type { Answer } from "../answer/answer.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import type { GraphView } from "../answer/view.ts";

export interface LayersInput {
  readonly action: "check" | "list" | "suggest";
  /** Rules to use instead of those of the repository. */
  readonly rules?: LayerRules;
  readonly groupByRule?: boolean;
  readonly limit?: number;
  readonly scope?: string;
}

/** The most patterns without a matching file to show, at each level of detail. */
const UNMATCHED = [10, 2, 0];

function grouped(violations: readonly Violation[]): Record<string, object[]> {
  const groups: Record<string, object[]> = {};
  for (const { rule, ...rest } of violations) (groups[rule] ??= []).push(rest);
  return groups;
}

function checkLayers(view: GraphView, input: LayersInput, rules: LayerRules): Answer<Violation> {
  const { limit = 20, groupByRule = false } = input;
  const mask = scopeMask(view, input.scope);
  const found = checkRules(view.graph, rules, view.root).filter(({ sourceFile }) => {
    const file = view.graph.files.find(sourceFile);
    return file === undefined ? mask === undefined : isIn(mask, file);
  });
  const counts = countRules(rules);
  const unmatched = unmatchedPatterns(view.graph, rules);
  return {
    items: found,
    limit,
    levels: UNMATCHED.length - 1,
    limits: { maxItems: limit },
    ...(counts.rules === 0 && {
      next: [
        {
          tool: "layers" as const,
          args: { action: "suggest" },
          reason: "there are no rules yet; these rules are true today",
        },
      ],
    }),
    render: (shown, level) => ({
      ...(groupByRule ? { groups: grouped(shown) } : { violations: shown }),
      ...(unmatched.length > 0 && { unmatched: unmatched.slice(0, UNMATCHED[level]) }),
      ...(unmatched.length > UNMATCHED[level]! && { unmatchedTotal: unmatched.length }),
      stats: { ...counts, violations: found.length },
    }),
  };
}

function countRules({ forbidden = [], allowed = [], required = [] }: LayerRules): {
  rules: number;
} {
  return { rules: forbidden.length + allowed.length + required.length };
}

function list(rules: LayerRules): Answer<object> {
  const all = [
    ...(rules.forbidden ?? []).map((rule) => ({ form: "forbidden", ...rule })),
    ...(rules.allowed ?? []).map((rule) => ({ form: "allowed", ...rule })),
    ...(rules.required ?? []).map((rule) => ({ form: "required", ...rule })),
  ];
  return { items: all, limit: 50, render: (shown) => ({ rules: shown }) };
}

function suggest(view: GraphView): Answer<object> {
  const suggestions = suggestRules(view.graph);
  const rules = suggestions.slice(0, 20).map(({ rule }) => rule);
  return {
    items: suggestions,
    limit: 20,
    ...(rules.length > 0 && {
      next: [
        {
          tool: "layers" as const,
          args: { action: "check", rules: { forbidden: rules.slice(0, 1) } },
          reason: "try the first one",
        },
      ],
    }),
    render: (shown) => ({ suggestions: shown }),
  };
}

const MAX_GIVEN = 16;
const given = new Map<string, LayerRules>();

/** Violations are cached by rules object, so equal rules must be the same object. */
function sameRules(rules: LayerRules): LayerRules {
  const text = JSON.stringify(rules);
  const known = given.get(text);
  if (known !== undefined) return known;
  if (given.size >= MAX_GIVEN) given.delete(given.keys().next().value!);
  given.set(text, rules);
  return rules;
}

/** Architecture rules: check them, list them, or suggest some from the current code. */
export function layers(view: GraphView, input: LayersInput): Answer {
  const rules = input.rules === undefined ? view.rules : sameRules(input.rules);
  switch (input.action) {
    case "check":
      return checkLayers(view, input, rules);
    case "list":
      return list(rules);
    case "suggest":
      return suggest(view);
    default:
      throw fail("VALIDATION", "action must be check, list or suggest", {
        issues: [{ path: "/action", message: "must be check, list or suggest" }],
      });
  }
}
