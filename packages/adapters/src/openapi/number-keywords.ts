type Raw = Readonly<Record<string, unknown>>;

function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A bound that is `exclusive: true` beside it in 3.0, and a number of its own since 3.1. */
function bound(schema: Raw, inclusive: string, exclusive: string): Record<string, number> {
  const limit = finite(schema[inclusive]);
  const own = finite(schema[exclusive]);
  const isExclusive = schema[exclusive] === true;
  return {
    ...(limit !== undefined && { [isExclusive ? exclusive : inclusive]: limit }),
    ...(own !== undefined && { [exclusive]: own }),
  };
}

/** The bounds of numbers as 2020-12 writes them. */
export function numberKeywords(schema: Raw): Record<string, number> {
  const multiple = finite(schema["multipleOf"]);
  return {
    ...bound(schema, "minimum", "exclusiveMinimum"),
    ...bound(schema, "maximum", "exclusiveMaximum"),
    // Fractions have no exact binary form, so a check by them would refuse good values.
    ...(multiple !== undefined && multiple >= 1 && { multipleOf: multiple }),
  };
}
