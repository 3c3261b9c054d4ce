import { outsideText } from "@waybill/core/cards";
import type { SigningPerson } from "@waybill/adapters/oauth";
import { DEFAULT_REDIRECT_URL, loopbackAuthorize, webAddress } from "@waybill/mcp/client";
import { openBrowser, openerFor } from "../inspect/open-browser.ts";
import { note } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

const MAX_LINE = 100_000;
/** The most characters of a device code to show. */
const MAX_SHOWN = 200;

/** The first line of standard input. */
export async function readLine(io: Io): Promise<string> {
  let text = "";
  for await (const chunk of io.stdin) {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    if (text.includes("\n") || text.length > MAX_LINE) break;
  }
  return text.split("\n", 1)[0]!.trim();
}

/** The URL that a person pasted; a promise that never resolves if the text is not a URL. */
async function pastedAddress(io: Io): Promise<string> {
  const line = await readLine(io);
  if (URL.canParse(line)) return line;
  return new Promise(() => {});
}

export interface PersonOptions {
  /**
   * Whether to print the sign-in address without opening a browser, because the browser is on
   * another machine.
   */
  readonly isElsewhere: boolean;
  readonly redirectUrl: string | undefined;
}

function checkedRedirect(url: string): string {
  const isLocal =
    URL.canParse(url) && /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\//u.test(url);
  if (isLocal) return url;
  throw new UsageError(
    "--redirect-url must be an address on this machine, with a port and a path",
    {
      hint: `--redirect-url ${DEFAULT_REDIRECT_URL}`,
    },
  );
}

/** The person at the terminal. Opens their browser, or prints the address. */
export function personAt(io: Io, options: PersonOptions): SigningPerson {
  const { isElsewhere } = options;
  const redirectUrl = checkedRedirect(options.redirectUrl ?? DEFAULT_REDIRECT_URL);
  const opener = isElsewhere ? undefined : openerFor(io);
  const show = async (page: URL): Promise<void> => {
    await note(io, `Sign in with a browser: ${page.href}`);
    if (opener !== undefined) await openBrowser(opener, page.href, io.env);
    else if (isElsewhere) {
      await note(io, "If the browser is on another machine, paste its final address here:");
    }
  };
  return {
    redirectUrl,
    authorize: loopbackAuthorize({
      redirectUrl,
      open: show,
      ...(isElsewhere && { pasted: () => pastedAddress(io) }),
    }),
    showCode: async ({ code, page, completePage }) => {
      const address = webAddress(page);
      const whole = webAddress(completePage ?? page);
      await note(io, `Open ${address} and enter the code ${outsideText(code, MAX_SHOWN)}`);
      if (opener !== undefined) await openBrowser(opener, whole, io.env);
      else if (whole !== address) await note(io, `or open ${whole}`);
    },
  };
}
