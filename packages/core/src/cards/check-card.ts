import { isRecord, thrownMessage } from "../envelope/index.ts";
import type { Issue } from "../envelope/index.ts";
import { isRegularExpression } from "../pattern/index.ts";
import { loadChecker } from "../schema/index.ts";
import type { Checker, CompiledSchema } from "../schema/index.ts";
import { CARD_FORMAT } from "./card.ts";
import type { Card } from "./card.ts";
import { cardProblem } from "./card-problem.ts";
import type { CardLocation, CardProblem } from "./card-problem.ts";
import { CardSchema } from "./card-schema.ts";
import { codeFindings } from "./check-code.ts";
import { effectFindings } from "./check-effects.ts";
import type { KnownCapabilities } from "./check-effects.ts";
import { mappingFindings } from "./check-mappings.ts";
import { nameFindings } from "./check-names.ts";
import { stepFindings } from "./check-steps.ts";
import { typeFindings } from "./check-types.ts";
import { completeCard } from "./complete-card.ts";
import type { CardSources } from "./complete-card.ts";
import type { Finding } from "./finding.ts";
import { loadExpressions } from "./mapping/index.ts";
import { otherFormFindings } from "./ghx-card-forms.ts";
import { readCard } from "./read-card.ts";

/** The names that a card may refer to. If a member is missing, these names are not checked. */
export interface CardSurroundings extends KnownCapabilities, CardSources {
  /** Ids of the capabilities that `verify` may call (default: not checked). */
  readonly capabilities?: ReadonlySet<string>;
  /** Ids of everything that steps and programs may call (default: not checked). */
  readonly tasks?: ReadonlySet<string>;
  /** Names of the functions that `call` may use (default: not checked). */
  readonly functions?: ReadonlySet<string>;
}

export interface CheckedCard {
  /** The card with defaults filled in. Present only if the card is valid. */
  readonly card?: Card;
  readonly problems: readonly CardProblem[];
}

function issueText({ message, allowed, did_you_mean: near }: Issue): string {
  if (near !== undefined) return `${message}; did you mean "${near}"?`;
  return allowed === undefined ? message : `${message}: ${allowed.map(String).join(", ")}`;
}

let cardSchema: CompiledSchema | undefined;

function schemaFindings(checker: Checker, value: unknown): Finding[] {
  cardSchema ??= checker.compile(CardSchema);
  const compiled = cardSchema;
  if (compiled.check(value)) return [];
  return compiled
    .issues(value)
    .map((issue) => ({ pointer: issue.path, message: issueText(issue) }));
}

/**
 * A card for a newer Waybill gets only this finding, because its unknown fields are not
 * mistakes.
 */
function formatFindings(value: unknown): Finding[] {
  const found = isRecord(value) ? value["format"] : undefined;
  if (typeof found !== "number" || found <= CARD_FORMAT) return [];
  const known = `this Waybill reads format ${CARD_FORMAT}`;
  return [{ pointer: "/format", message: `is ${found}, but ${known}; update Waybill to use it` }];
}

function compileOwn(
  checker: Checker,
  card: Card,
  key: "input_schema" | "output_schema",
): CompiledSchema | Finding {
  try {
    // Interprets the schema, because compiling it takes longer than one or two checks.
    const compiled = checker.compile(card[key], { interpreted: true });
    const wrong = compiled.traits.patterns.find((pattern) => !isRegularExpression(pattern));
    if (wrong === undefined) return compiled;
    return {
      pointer: `/${key}`,
      message: `has a pattern that is not a valid regular expression: ${wrong}`,
    };
  } catch (error) {
    const reason = thrownMessage(error);
    return { pointer: `/${key}`, message: `is not a usable schema: ${reason}` };
  }
}

function exampleFindings(card: Card, schema: CompiledSchema): Finding[] {
  return (card.examples ?? []).flatMap(({ input }, index) =>
    schema.check(input)
      ? []
      : schema.issues(input).map((issue) => ({
          pointer: `/examples/${index}/input${issue.path}`,
          message: issueText(issue),
        })),
  );
}

function contractFindings(checker: Checker, card: Card): Finding[] {
  const output = compileOwn(checker, card, "output_schema");
  const input = compileOwn(checker, card, "input_schema");
  const findings = [
    ...("pointer" in output ? [output] : []),
    ...typeFindings(card.input_schema, "/input_schema"),
    ...typeFindings(card.output_schema, "/output_schema"),
  ];
  if ("pointer" in input) return [...findings, input];
  if (!isRecord(card.input_schema) || card.input_schema["type"] !== "object") {
    findings.push({ pointer: "/input_schema", message: `must have type "object"` });
  }
  return [...findings, ...exampleFindings(card, input)];
}

/**
 * Checks the expressions of an invalid card as far as possible, so that all problems are reported
 * at once.
 */
function expressionFindings(card: Card): readonly Finding[] {
  try {
    return readCard(card, undefined).problems;
  } catch {
    return [];
  }
}

function located(findings: readonly Finding[], place: CardLocation): CardProblem[] {
  return findings.map(({ pointer, message }) => cardProblem(place, pointer, message));
}

/** Checks whether a value is a valid card, and lists everything that is wrong with it. */
export async function checkCard(
  value: unknown,
  place: CardLocation,
  surroundings: CardSurroundings = {},
): Promise<CheckedCard> {
  await loadExpressions();
  const checker = await loadChecker();
  const newer = formatFindings(value);
  const foreign = newer.length > 0 ? newer : otherFormFindings(value);
  if (foreign.length > 0) return { problems: located(foreign, place) };
  const complete = completeCard(value, surroundings);
  const misfits = schemaFindings(checker, complete);
  const card = complete as Card;
  if (misfits.length > 0) {
    return { problems: located([...misfits, ...expressionFindings(card)], place) };
  }
  await loadChecker(card.input_schema, card.output_schema);
  const read = readCard(card, surroundings.documents);
  const findings = [
    ...contractFindings(checker, card),
    ...nameFindings(card, surroundings.capabilities),
    ...read.problems,
    ...effectFindings(card, read.prepared, surroundings),
    ...mappingFindings(card, read.prepared, surroundings.functions),
    ...codeFindings(card, surroundings.tasks),
    ...(await stepFindings(card, read.prepared.steps, surroundings.tasks)),
  ];
  return findings.length === 0 ? { card, problems: [] } : { problems: located(findings, place) };
}
