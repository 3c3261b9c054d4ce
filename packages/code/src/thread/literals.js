/** @typedef {import("./walk.js").Node} Node */
/** @typedef {import("../sandbox/messages.ts").WrittenArgument} WrittenArgument */

/**
 * The value of an expression that is a literal; undefined for any other.
 * @param {Node} node
 * @returns {{ value: unknown } | undefined}
 */
export function readLiteral(node) {
  switch (node.type) {
    case "Literal":
      return "regex" in node || "bigint" in node ? undefined : { value: node["value"] };
    case "TemplateLiteral":
      return templateText(node);
    case "UnaryExpression":
      return negative(node);
    case "ArrayExpression":
      return literalList(/** @type {(Node | null)[]} */ (node["elements"]));
    case "ObjectExpression": {
      const facts = readObject(node);
      return facts.isOpen || facts.computed.length > 0 ? undefined : { value: facts.known };
    }
    default:
      return undefined;
  }
}

/** The fixed parts of a template. @param {Node} node */
function fixedTexts(node) {
  const quasis = /** @type {{ value: { cooked: string } }[]} */ (node["quasis"]);
  return quasis.map(({ value }) => value.cooked);
}

/** @param {Node} node */
function templateText(node) {
  const texts = fixedTexts(node);
  return texts.length === 1 ? { value: texts[0] } : undefined;
}

/** @param {Node} node */
function negative(node) {
  const inner = readLiteral(/** @type {Node} */ (node["argument"]))?.value;
  return node["operator"] === "-" && typeof inner === "number" ? { value: -inner } : undefined;
}

/** @param {(Node | null)[]} items */
function literalList(items) {
  const values = items.map((item) => (item === null ? undefined : readLiteral(item)));
  return values.every((each) => each !== undefined)
    ? { value: values.map((each) => each.value) }
    : undefined;
}

/**
 * @param {Node} node
 * @returns {Extract<WrittenArgument, { kind: "object" }>}
 */
function readObject(node) {
  /** @type {Map<string, unknown>} */
  const known = new Map();
  /** @type {string[]} */
  const computed = [];
  let isOpen = false;
  for (const property of /** @type {Node[]} */ (node["properties"])) {
    const key = /** @type {Node | undefined} */ (property["key"]);
    const isPlain = property.type === "Property" && property["computed"] !== true;
    if (!isPlain || key === undefined) {
      isOpen = true;
      continue;
    }
    const name = String(key["name"] ?? key["value"]);
    const literal = readLiteral(/** @type {Node} */ (property["value"]));
    if (literal === undefined) computed.push(name);
    else known.set(name, literal.value);
  }
  return { kind: "object", known: Object.fromEntries(known), computed, isOpen };
}

/** @param {Node} node @returns {WrittenArgument} */
export function readArgument(node) {
  if (node.type === "ObjectExpression") return readObject(node);
  const literal = readLiteral(node);
  if (literal !== undefined) return { kind: "value", value: literal.value };
  if (node.type !== "TemplateLiteral") return { kind: "unknown" };
  return { kind: "text", hasSlash: fixedTexts(node).some((text) => text.includes("/")) };
}
