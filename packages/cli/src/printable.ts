/** Control characters in a card's or a file's text could make a terminal do things. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, " ");
}
