import { runProgram } from "@waybill/adapters/command";

/** The repository that a checkout came from. */
export interface CheckoutRepository {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

const QUESTION_MS = 10_000;
/** As `gh` looks: the one that a fork came from first. */
const PREFERRED = ["upstream", "github", "origin"];

/** Reads `https://host/owner/name.git`, `ssh://git@host/owner/name` and `git@host:owner/name.git`. */
function readRemote(url: string): CheckoutRepository | undefined {
  const short = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(url);
  const { host, path } =
    short === null ? parsed(url) : { host: short[1] ?? "", path: short[2] ?? "" };
  const [, owner, name] = /^\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(path) ?? [];
  if (host === "" || owner === undefined || name === undefined) return undefined;
  return { host: host.toLowerCase().replace(/^(?:www|ssh)\./, ""), owner, name };
}

function parsed(url: string): { host: string; path: string } {
  if (!/^(?:https?|ssh|git):\/\//.test(url) || !URL.canParse(url)) return { host: "", path: "" };
  const { hostname, pathname } = new URL(url);
  return { host: hostname, path: decodeURI(pathname) };
}

function rank(remote: string): number {
  const place = PREFERRED.indexOf(remote);
  return place === -1 ? PREFERRED.length : place;
}

/** Lines such as `origin	git@github.com:octo/hello.git (fetch)`. */
function readRemotes(text: string): { remote: string; url: string }[] {
  return text
    .split("\n")
    .map((line) => /^(\S+)\t(\S+) \(fetch\)/.exec(line))
    .filter((match) => match !== null)
    .map(([, remote = "", url = ""]) => ({ remote, url }))
    .toSorted((a, b) => rank(a.remote) - rank(b.remote));
}

/**
 * The repository of the checkout in a folder, on a host. It is read anew each time: a remote that
 * was changed must not have writes go to where it pointed before.
 */
export async function checkoutRepository(
  cwd: string,
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckoutRepository | undefined> {
  const deadline = Date.now() + QUESTION_MS;
  const asked = { program: "git", argv: ["remote", "-v"], cwd, env: gitEnvironment(env), deadline };
  const result = await runProgram(asked).catch(() => undefined);
  if (result?.exitCode !== 0) return undefined;
  return readRemotes(Buffer.from(result.stdout).toString("utf8"))
    .map(({ url }) => readRemote(url))
    .find((repository) => repository?.host === host);
}

function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { PATH = "", HOME = "" } = env;
  return { PATH, HOME, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
