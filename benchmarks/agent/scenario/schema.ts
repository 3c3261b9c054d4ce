import { z } from "zod";
import { kinds } from "../types.ts";
import type { Scenario } from "../types.ts";
import { repeatStep, repeatUse } from "./repeat.ts";

const text = z.string().min(1);
const params = z.record(z.string(), z.json());
const each = z.record(z.string(), z.array(z.json()).min(1));
const step = z.strictObject({
  capability: z.string().regex(/^[a-z_0-9]+(\.[a-z_0-9]+)+$/),
  params,
  select: z.array(text).or(z.literal("none")).optional(),
  id: text.optional(),
});
const steps = z.array(step.extend({ each: each.optional() })).min(1);
const script = {
  answer: text.optional(),
  check: text.optional(),
  seen: text.optional(),
  guess: text.optional(),
};
const commands = z.strictObject({
  run: z.array(text).min(1),
  ...script,
  current: z.array(z.tuple([text, text.optional()])).optional(),
});
const documents = z.strictObject({ run: z.array(text).min(1), ...script });
const use = z.strictObject({
  tool: text,
  args: params,
  rest: z.string().regex(/^(GET|POST|PUT|PATCH|DELETE) \//),
  body: params.optional(),
  shape: text,
});
const uses = z.strictObject({
  run: z
    .array(use.extend({ each: each.optional() }))
    .min(1)
    .transform((run) => run.flatMap(repeatUse)),
  answer: text.optional(),
  check: use.optional(),
  seen: text.optional(),
});
const place = z
  .strictObject({ path: z.string().startsWith("/").optional(), operation: text.optional() })
  .refine(
    ({ path, operation }) => (path ?? operation) !== undefined,
    "path or operation is needed",
  );
const oracle = z.strictObject({
  state: text.optional(),
  equals: z.json().optional(),
  compiler: z.strictObject({ question: text, file: text, symbol: text.optional() }).optional(),
});
const assertions = z.strictObject({
  schema: z.boolean().optional(),
  calls: z.array(text).optional(),
  pages: z.int().min(2).max(10).optional(),
  error: text.optional(),
});

/** The schema of a scenario file. */
export const scenarioSchema: z.ZodType<Scenario> = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  kind: z.enum(kinds),
  task: text,
  steps: steps.transform((all) => all.flatMap(repeatStep)),
  answer: text.optional(),
  program: text.optional(),
  program_answer: text.optional(),
  oracle,
  assertions,
  route: z.enum(["graphql", "rest", "both", "cli", "local"]).optional(),
  limits: z.strictObject({ calls: z.int().positive(), tokens: z.int().positive() }),
  mistake: text.optional(),
  guess: step.optional(),
  hunch: step.optional(),
  writes: z.int().nonnegative().optional(),
  mutations: z.record(z.string(), z.int().positive()).optional(),
  harmless: z.array(text).optional(),
  fault: z.array(place).min(1).optional(),
  look: step.optional(),
  seen: text.optional(),
  gh: z.union([text, commands]),
  graphql: z.union([text, documents]),
  github_mcp: z.union([text, uses]),
  grep: z.union([text, commands]),
});
