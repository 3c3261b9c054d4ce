/**
 * The name under which the tokens of a server are stored. It includes the path, because one host
 * may have many servers with different owners.
 */
export function tokensKey({ origin, pathname }: URL): string {
  return `oauth-${origin}${pathname}`;
}
