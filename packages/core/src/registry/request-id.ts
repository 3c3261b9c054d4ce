let counter = 0;
let prefix: string | undefined;

/**
 * Unique in this process by counting and across processes by a random start. At most twelve
 * characters: up to there a joined string is stored flat, which makes it cheap as a key.
 */
export function nextRequestId(): string {
  prefix ??= crypto.randomUUID().replaceAll("-", "").slice(0, 6);
  counter += 1;
  return prefix + counter.toString(36);
}
