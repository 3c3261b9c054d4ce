// @ts-check
import { createWaybill, defineOperation, httpEnvelope } from "@waybill/core";
import { cardOperation, prepareCard } from "@waybill/core/cards";
import { interleave, median, ratioWithinRounds } from "../lib/measure.mjs";

/** @typedef {import("../lib/measure.mjs").Contender} Contender */
/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "The cost of checking inputs";

/** The most by which checks may slow a call down. */
const MAX_SHARE = 0.05;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const PARAMS = { slug: "one-two-three", n: 1 };

const names = { slug: {}, n: {} };
const closed = { type: "object", properties: names, additionalProperties: false };
const patterned = { ...closed, properties: { ...names, slug: { pattern: SLUG.source } } };
const anyNames = { type: "object", properties: names, additionalProperties: true };
const knownNames = { type: "object", properties: names };

/**
 * Checks the input in plain JavaScript, inside the function.
 * @param {{ slug: string, n: number }} input
 */
function testNatively(input) {
  return SLUG.test(input.slug) ? input.n : 0;
}

/** @param {{ n: number }} input */
function countChecks(input) {
  return input.n;
}

/**
 * @param {string} name
 * @param {object} input
 * @param {(input: never) => number} handler
 * @returns {Contender}
 */
function local(name, input, handler) {
  const spec = { id: "math.count", description: "Counts", effect: /** @type {const} */ ("read") };
  const operation = defineOperation({ ...spec, input, output: { type: "integer" }, handler });
  return calls(name, createWaybill({ operations: [/** @type {never} */ (operation)] }));
}

const { meta } = httpEnvelope(null, {
  statusCode: 200,
  headers: {},
  contentType: "application/json",
});

/** A route that answers immediately, without a network. @param {(input: never) => number} answer */
function routeBy(answer) {
  return {
    route: /** @type {const} */ ("rest"),
    needs: [],
    /** @param {{ body?: unknown }} request */
    async send({ body }) {
      return {
        response: { data: { n: answer(/** @type {never} */ (body)) }, meta },
        upstreamRequests: 1,
      };
    },
    describe: () => ({}),
  };
}

/**
 * @param {string} name
 * @param {object} input
 * @param {(input: never) => number} answer
 * @returns {Promise<Contender>}
 */
async function routed(name, input, answer) {
  /** @type {import("@waybill/core").Card} */
  const card = {
    capability_id: "math.count",
    version: "1.0.0",
    description: "Counts",
    effect: "read",
    input_schema: /** @type {never} */ (input),
    output_schema: { type: "integer" },
    routing: { preferred: "rest", fallbacks: [] },
    rest: { method: "POST", path: "/count", body: { slug: "slug", n: "n" }, output: "n" },
  };
  const operation = cardOperation(await prepareCard(card), { routes: [routeBy(answer)] });
  return calls(name, createWaybill({ operations: [operation] }));
}

/**
 * @param {string} name
 * @param {import("@waybill/core").Waybill} waybill
 * @returns {Contender}
 */
function calls(name, waybill) {
  return {
    name,
    run: async (repeats) => {
      let sum = 0;
      for (let index = 0; index < repeats; index++) {
        const { data } = await waybill.execute("math.count", PARAMS);
        sum += Number(data);
      }
      return sum;
    },
  };
}

/** The expected sum: each call adds one. @param {number} times */
function expected(times) {
  return times;
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const contenders = [
    local("a call whose function tests a text with `RegExp`", closed, testNatively),
    local("the same call, with the pattern in its schema", patterned, countChecks),
    local("a call that takes any name", anyNames, countChecks),
    local("the same call, which refuses names that are not declared", knownNames, countChecks),
    await routed("a routed call whose route tests a text with `RegExp`", closed, testNatively),
    await routed("the same routed call, with the pattern in its schema", patterned, countChecks),
    await routed("a routed call that takes any name", anyNames, countChecks),
    await routed("the same routed call, which refuses other names", knownNames, countChecks),
  ];
  const rounds = quick ? 7 : 61;
  const options = { rounds, sliceMs: quick ? 20 : 40, expected };
  // Measured in pairs: in a longer order, one of a pair would always run after the same neighbour
  // and collect its garbage.
  /** @type {number[][]} */
  const times = [];
  for (let at = 0; at < contenders.length; at += 2) {
    times.push(...(await interleave(contenders.slice(at, at + 2), options)));
  }
  /** @type {Row[]} */
  const rows = contenders.map(({ name }, index) => {
    const row = { name, value: median(times[index]) / 1_000, unit: "µs" };
    if (index % 2 === 0) return row;
    const ratio = ratioWithinRounds(times[index], times[index - 1]);
    const target = `≤ ${MAX_SHARE * 100} % longer than the row above`;
    return { ...row, ratio, target, met: 1 / ratio <= 1 + MAX_SHARE };
  });
  const notes = [
    `Medians of ${rounds} rounds. In each round the two calls of a pair swap their order. “of baseline” is the rate compared with the row above, within each round.`,
  ];
  return { rows, notes };
}
