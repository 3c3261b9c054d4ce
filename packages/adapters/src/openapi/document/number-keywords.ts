type Raw = Readonly<Record<string, unknown>>;

function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** In OpenAPI 3.0, `exclusive…: true` is a flag beside the limit. Since 3.1, it is a number. */
function bound(schema: Raw, inclusive: string, exclusive: string): Record<string, number> {
  const limit = finite(schema[inclusive]);
  const own = finite(schema[exclusive]);
  const isExclusive = schema[exclusive] === true;
  return {
    ...(limit !== undefined && { [isExclusive ? exclusive : inclusive]: limit }),
    ...(own !== undefined && { [exclusive]: own }),
  };
}

/** Converts the limits of numbers to JSON Schema 2020-12. */
export function numberKeywords(schema: Raw): Record<string, number> {
  const multiple = finite(schema["multipleOf"]);
  return {
    ...bound(schema, "minimum", "exclusiveMinimum"),
    ...bound(schema, "maximum", "exclusiveMaximum"),
    // Drops `multipleOf` for fractions. They have no exact binary form, so the check would
    // refuse valid values.
    ...(multiple !== undefined && multiple >= 1 && { multipleOf: multiple }),
  };
}
