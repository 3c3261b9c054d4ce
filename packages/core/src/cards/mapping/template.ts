/** Splits text such as `…{expression}…` at its braces. Undefined if the braces do not match. */
export function readTemplate(
  text: string,
): (string | { readonly expression: string })[] | undefined {
  const parts: (string | { readonly expression: string })[] = [];
  for (const [index, piece] of text.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 1) parts.push({ expression: piece });
    else if (/[{}]/.test(piece)) return undefined;
    else if (piece !== "") parts.push(piece);
  }
  return parts;
}
