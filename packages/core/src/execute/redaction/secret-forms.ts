/** A text that a secret can come back as, once the escapes around it are undone. */
export interface SecretForm {
  readonly text: string;
  /** Of base64, the characters on both sides hold a few bits of the secret as well. */
  readonly isBase64: boolean;
}

/** A shorter rest of a secret is likely to be an ordinary word. */
const MIN_PRINTABLE = 8;

const utf8 = new TextEncoder();

/** Each byte as one character. */
function bytesOf(text: string): string {
  return Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function hexOf(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/**
 * Base64 of anything that contains the bytes: it depends on how many bytes come before, modulo
 * three. Only the characters that the bytes alone decide are given.
 */
function base64Forms(bytes: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const standard = btoa("\0".repeat(before) + bytes).slice(first, end);
    return [standard, standard.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function plainForms(secret: string, bytes: string): string[] {
  const spaced = secret.includes(" ") ? [secret.replaceAll(" ", "+")] : [];
  const joined = /[\r\n]/u.test(secret) ? [secret.replaceAll(/\r?\n[ \t]*/gu, "")] : [];
  // A server that puts it into a header may leave out what a header cannot hold.
  const ascii = secret.replaceAll(/[^\x20-\x7E]/gu, "");
  const printable = ascii.length >= MIN_PRINTABLE ? [ascii] : [];
  const hex = hexOf(bytes);
  return [secret, bytes, ...printable, ...spaced, ...joined, hex, hex.toUpperCase()];
}

export function secretForms(secret: string): SecretForm[] {
  const bytes = bytesOf(secret);
  const plain = new Set(plainForms(secret, bytes));
  const base64 = new Set(base64Forms(bytes));
  return [
    ...Array.from(plain, (text) => ({ text, isBase64: false })),
    ...Array.from(base64, (text) => ({ text, isBase64: true })),
  ];
}
