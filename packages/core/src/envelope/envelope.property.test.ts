import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadChecker } from "../schema/index.ts";
import {
  ERROR_CODES,
  ResponseEnvelopeSchema,
  ResultEnvelopeSchema,
  TOOL_ERROR_CODES,
  ToolEnvelopeSchema,
  briefResult,
  briefToolEnvelope,
  cliEnvelope,
  createErrorEnvelope,
  createSuccessEnvelope,
  failureResult,
  httpEnvelope,
  isResponseEnvelope,
  isResultEnvelope,
  isToolEnvelope,
  localEnvelope,
  mcpEnvelope,
  successResult,
} from "./index.ts";
import type { ErrorCode, JsonSchema } from "./index.ts";

const checker = await loadChecker();
const text = fc.string();
// JSON has no negative zero, so negative zero is replaced before anything is sent.
const data = fc.jsonValue().map((value) => wire(value));
const record = fc.dictionary(text, data);
const block = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.record({ type: fc.constant("image" as const), data: text, mimeType: text }),
  fc.record({ type: fc.constant("resource" as const), resource: fc.record({ uri: text }) }),
  fc.record({ type: fc.constant("resource_link" as const), uri: text, name: text }),
);
const response = fc.oneof(
  fc.tuple(data, text).map(([value, id]) => localEnvelope(value, id)),
  fc
    .tuple(data, fc.integer(), fc.dictionary(text, text), text)
    .map(([value, statusCode, headers, contentType]) =>
      httpEnvelope(value, { statusCode, headers, contentType }),
    ),
  fc
    .tuple(data, fc.boolean(), fc.array(block), data)
    .map(([value, isError, content, structuredContent]) =>
      mcpEnvelope(value, { isError, content, structuredContent }),
    ),
  fc
    .tuple(data, fc.array(text), fc.integer(), fc.nat())
    .map(([value, command, exitCode, durationMs]) =>
      cliEnvelope(value, { command, exitCode, durationMs }),
    ),
);

const error = fc.record({
  code: fc.constantFrom(...(Object.keys(ERROR_CODES) as ErrorCode[])),
  message: text,
  retryable: fc.boolean(),
  details: record,
});
const meta = fc.record({ capability_id: text, request_id: text, warnings: fc.array(text) });
const result = fc.oneof(
  fc.tuple(data, meta).map(([value, facts]) => successResult(value, facts)),
  fc.tuple(error, meta).map(([failure, facts]) => failureResult(failure, facts)),
);

const workspace = fc.record({ root: text, repoName: text, rev: text });
const tool = fc.oneof(
  fc
    .tuple(text, data, workspace)
    .map(([name, value, at]) => createSuccessEnvelope(name, value, at)),
  fc
    .tuple(text, fc.constantFrom(...TOOL_ERROR_CODES), text, workspace, record)
    .map(([name, code, message, at, details]) =>
      createErrorEnvelope(name, code, message, at, details),
    ),
);

/** Values for optional members, both valid and invalid ones. */
const anyFact = fc.oneof(
  fc.constantFrom("exact", "decoded", -1, 0, 1.5, null, [], [1], ["a"], {}),
  fc.constantFrom([{ path: "/a", edit: "decoded" }], [{ path: 1, edit: "decoded" }], [{}]),
  data,
);
const factNames = ["conformance", "changes", "warnings", "sequence", "_meta"] as const;
const anyAnnotations = fc.record(
  { audience: fc.oneof(fc.constant(["user"]), data), priority: data, lastModified: data },
  { requiredKeys: [] },
);
const anyBlock = fc.record(
  {
    type: fc.constantFrom("text", "image", "audio", "resource", "resource_link", "other"),
    text: fc.oneof(text, data),
    data: fc.oneof(text, data),
    mimeType: fc.oneof(text, data),
    uri: fc.oneof(text, data),
    name: fc.oneof(text, data),
    description: fc.oneof(text, data),
    resource: fc.oneof(fc.record({ uri: text, blob: data }, { requiredKeys: ["uri"] }), data),
    annotations: fc.oneof(anyAnnotations, data),
  },
  { requiredKeys: ["type"] },
);

type Guard = (value: unknown) => boolean;
const kinds: [string, fc.Arbitrary<object>, Guard, JsonSchema, string[][]][] = [
  [
    "response",
    response,
    isResponseEnvelope,
    ResponseEnvelopeSchema,
    [["data"], ["meta"], ["meta", "source"]],
  ],
  [
    "result",
    result,
    isResultEnvelope,
    ResultEnvelopeSchema,
    [["ok"], ["data"], ["error"], ["meta"], ["meta", "capability_id"]],
  ],
  [
    "tool",
    tool,
    isToolEnvelope,
    ToolEnvelopeSchema,
    [
      ["success"],
      ["data"],
      ["data", "tool"],
      ["data", "requestId"],
      ["data", "generatedAt"],
      ["data", "result"],
      ["data", "workspace"],
      ["data", "meta"],
      ["data", "meta", "approxTokens"],
    ],
  ],
];

function wire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The envelope as it arrives after JSON, with one part changed by `edit`. */
function broken(
  envelope: object,
  place: readonly string[],
  edit: (holder: Record<string, unknown>, key: string) => void,
): unknown {
  const copy = wire(envelope) as Record<string, unknown>;
  const holder = place
    .slice(0, -1)
    .reduce((inner, key) => inner[key] as Record<string, unknown>, copy);
  edit(holder, place.at(-1)!);
  return copy;
}

describe.each(kinds)(
  "guard and schema of any %s envelope",
  (_, arbitrary, isEnvelope, schema, places) => {
    const compiled = checker.compile(schema);

    it("any envelope that was sent as JSON is unchanged, and passes its type guard and its schema", () => {
      fc.assert(
        fc.property(arbitrary, (envelope) => {
          const arrived = wire(envelope);
          expect(arrived).toEqual(envelope);
          expect(isEnvelope(arrived)).toBe(true);
          expect(compiled.check(arrived)).toBe(true);
        }),
      );
    });

    it.each(places.map((place) => [place.join("."), place] as const))(
      "the type guard and the schema of an envelope refuse an envelope without %s",
      (__, place) => {
        fc.assert(
          fc.property(arbitrary, (envelope) => {
            const value = broken(envelope, place, (holder, key) => delete holder[key]);
            expect([isEnvelope(value), compiled.check(value)]).toEqual([false, false]);
          }),
          { numRuns: 30 },
        );
      },
    );

    it("the type guard and the schema of an envelope refuse a wrong type in a required member", () => {
      const free = new Set(["data", "data.result"]);
      const strict = places.filter((place) => !free.has(place.join(".")));
      fc.assert(
        fc.property(arbitrary, fc.constantFrom(...strict), (envelope, place) => {
          const value = broken(envelope, place, (holder, key) => (holder[key] = [7]));
          expect([isEnvelope(value), compiled.check(value)]).toEqual([false, false]);
        }),
      );
    });
  },
);

describe("agreement of guard and schema", () => {
  const responses = checker.compile(ResponseEnvelopeSchema);

  it("the type guard and the schema of an envelope agree on optional members of any value", () => {
    fc.assert(
      fc.property(response, fc.constantFrom(...factNames), anyFact, (one, name, fact) => {
        const value = { data: one.data, meta: { ...one.meta, [name]: fact } };
        expect(isResponseEnvelope(value)).toBe(responses.check(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it("the type guard and the schema of an envelope agree on any MCP content block", () => {
    fc.assert(
      fc.property(anyBlock, (one) => {
        const value = { data: 1, meta: { source: "mcp", isError: false, content: [one] } };
        expect(isResponseEnvelope(value)).toBe(responses.check(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it("the type guard and the schema of an envelope refuse an extra member of a response or a result", () => {
    fc.assert(
      fc.property(response, result, data, (one, other, extra) => {
        const values = [
          [isResponseEnvelope, ResponseEnvelopeSchema, { ...one, extra }],
          [isResultEnvelope, ResultEnvelopeSchema, { ...other, extra }],
        ] as const;
        for (const [isEnvelope, schema, value] of values) {
          expect([isEnvelope(value), checker.compile(schema).check(value)]).toEqual([false, false]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("the type guard and the schema of an envelope refuse a failure that is marked ok", () => {
    fc.assert(
      fc.property(fc.tuple(error, meta), ([failure, facts]) => {
        const value = { ...failureResult(failure, facts), ok: true };
        const compiled = checker.compile(ResultEnvelopeSchema);
        expect([isResultEnvelope(value), compiled.check(value)]).toEqual([false, false]);
      }),
      { numRuns: 30 },
    );
  });
});

describe("brief envelopes", () => {
  it("briefResult has an error exactly if the result failed, and keeps its data", () => {
    fc.assert(
      fc.property(result, (envelope) => {
        const { data: told = null, ...brief } = wire(briefResult(envelope)) as { data?: unknown };
        expect([told, "error" in brief]).toEqual([envelope.data, !envelope.ok]);
      }),
    );
  });

  it("briefToolEnvelope has an error exactly if the tool failed", () => {
    fc.assert(
      fc.property(tool, (envelope) => {
        const brief = wire(briefToolEnvelope(envelope));
        expect(brief).toHaveProperty(envelope.success ? "result" : "error");
        expect(brief).not.toHaveProperty(envelope.success ? "error" : "result");
      }),
    );
  });
});
