/**
 * The name under which the tokens of a server are stored. The path is part of it: on a host with
 * many servers, each one belongs to somebody else.
 */
export function tokensKey({ origin, pathname }: URL): string {
  return `oauth-${origin}${pathname}`;
}
