import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TOKENS, startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { Gh } from "./support/gh.ts";
import type { Ran } from "./support/gh.ts";
import { describeWithProgram } from "./support/programs.ts";

const IN_HELLO = ["-R", "octo/hello"];

describeWithProgram("gh", () => {
  let gh: Gh;
  let github: GithubEmulator;
  beforeEach(async () => {
    gh = new Gh();
    github = await startGithubEmulator({ socket: gh.socket });
  });
  afterEach(async () => {
    await github.close();
    gh.remove();
  });

  /** Runs `gh`, expects exit code 0, and returns the output. */
  async function run(
    words: readonly string[],
    token: string = TOKENS.octocat,
    input = "",
  ): Promise<string> {
    const { code, stdout, stderr } = await gh.run(words, { GH_TOKEN: token }, input);
    expect(code, `gh ${words.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
    return stdout;
  }

  const fails = (words: readonly string[], token: string): Promise<Ran> =>
    gh.run(words, { GH_TOKEN: token });
  const inHello = (...words: readonly string[]): Promise<string> => run([...words, ...IN_HELLO]);
  const json = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse(await inHello(...words));

  it("the GitHub emulator lets gh view, list and search repositories", async () => {
    expect(await run(["auth", "status"])).toBe("");
    expect(await run(["repo", "view", "octo/hello"])).toContain("Greets people, politely");
    expect(await run(["repo", "list", "octo"])).toContain("octo/atlas");
    expect(await run(["search", "repos", "hello", "--json", "fullName"])).toBe(
      '[{"fullName":"octo/hello"}]\n',
    );
  });

  it("the GitHub emulator lets gh list, create, edit and close issues", async () => {
    expect(await inHello("issue", "list")).toContain("Greeting fails on empty names");
    expect(await inHello("issue", "list", "--search", "french")).toContain("Greet in French");
    expect(await inHello("issue", "view", "1", "--comments")).toContain("On it.");
    const create = [
      "-t",
      "New 👋",
      "-b",
      "One\r\ntwo",
      "-l",
      "bug",
      "-a",
      "monalisa",
      "-m",
      "v1.2",
    ];
    expect(await inHello("issue", "create", ...create)).toBe(
      "https://github.com/octo/hello/issues/13\n",
    );
    await inHello("issue", "comment", "13", "-b", "Hi");
    await inHello(
      "issue",
      "edit",
      "13",
      "-t",
      "Newer",
      "--add-label",
      "question",
      "--remove-label",
      "bug",
    );
    await inHello(
      "issue",
      "edit",
      "13",
      "--add-assignee",
      "octocat",
      "--remove-assignee",
      "monalisa",
      "--milestone",
      "",
    );
    await inHello("issue", "close", "13", "-r", "not planned", "-c", "Bye");
    await inHello("issue", "reopen", "13");
    await inHello("issue", "pin", "13");
    await inHello("issue", "unpin", "13");
    await inHello("issue", "lock", "13", "-r", "spam");
    await inHello("issue", "unlock", "13");
    const fields = "title,body,state,labels,assignees,milestone,comments";
    expect(await json("issue", "view", "13", "--json", fields)).toMatchObject({
      title: "Newer",
      body: "One\r\ntwo",
      state: "OPEN",
      labels: [{ name: "question" }],
      assignees: [{ login: "octocat" }],
      milestone: null,
      comments: [{ body: "Hi" }, { body: "Bye" }],
    });
    expect(await run(["issue", "transfer", "13", "octo/atlas", ...IN_HELLO])).toContain(
      "/octo/atlas/issues/2",
    );
    await inHello("issue", "delete", "5", "--yes");
    expect(github.applied()).toMatchObject({
      createIssue: 1,
      addComment: 2,
      closeIssue: 1,
      deleteIssue: 1,
    });
  });

  it("the GitHub emulator lets gh list, create, review and merge pull requests", async () => {
    expect(await inHello("pr", "list", "--state", "all")).toMatch(/Greet loudly\thubot:loud\tOPEN/);
    expect(await inHello("pr", "view", "6", "--comments")).toContain("The test is red.");
    expect(await inHello("pr", "diff", "6")).toContain(
      '+  if (name.trim() === "") return "Hello!";',
    );
    const checks = await gh.run(["pr", "checks", "6", ...IN_HELLO], { GH_TOKEN: TOKENS.octocat });
    expect(checks.stdout).toMatch(/^test\tfail\t/);
    const create = [
      "-t",
      "From gh",
      "-b",
      "b",
      "-H",
      "fix/empty-name",
      "-B",
      "chore/version",
      "-d",
    ];
    expect(await inHello("pr", "create", ...create)).toBe(
      "https://github.com/octo/hello/pull/13\n",
    );
    await inHello(
      "pr",
      "edit",
      "13",
      "-t",
      "Edited",
      "--add-label",
      "bug",
      "--add-reviewer",
      "monalisa",
    );
    await inHello("pr", "ready", "13");
    await inHello("pr", "comment", "13", "-b", "Look");
    await run(["pr", "review", "13", "-a", "-b", "Yes", ...IN_HELLO], TOKENS.monalisa);
    await inHello("pr", "close", "13", "-c", "Not now");
    await inHello("pr", "reopen", "13");
    await inHello("pr", "merge", "9", "-s", "-d");
    await inHello("pr", "merge", "6", "-m", "--admin");
    const refused = await gh.run(["pr", "merge", "10", "-m", ...IN_HELLO], {
      GH_TOKEN: TOKENS.octocat,
    });
    expect(refused.stderr).toContain("the merge commit cannot be cleanly created");
    expect(
      await json("pr", "view", "13", "--json", "title,isDraft,labels,latestReviews,state"),
    ).toMatchObject({
      title: "Edited",
      isDraft: false,
      labels: [{ name: "bug" }],
      latestReviews: [{ author: { login: "monalisa" }, state: "APPROVED" }],
      state: "OPEN",
    });
    expect(github.applied()).toMatchObject({
      createPull: 1,
      mergePull: 2,
      addReview: 1,
      deleteRef: 1,
    });
  });

  it("the GitHub emulator returns a value for every field of gh --json", async () => {
    const views = [
      ["issue", "view", "1", ...IN_HELLO],
      ["pr", "view", "6", ...IN_HELLO],
      ["repo", "view", "octo/hello"],
      ["run", "view", "1002", ...IN_HELLO],
      ["release", "view", "v1.0.0", ...IN_HELLO],
      ["search", "issues", "greet"],
    ];
    for (const words of views) {
      const { stderr } = await gh.run([...words, "--json"], { GH_TOKEN: TOKENS.octocat });
      const fields = stderr
        .split("\n")
        .slice(1)
        .map((line) => line.trim())
        .filter((line) => line !== "");
      expect(fields.length).toBeGreaterThan(5);
      expect(JSON.parse(await run([...words, "--json", fields.join(",")]))).toBeTruthy();
    }
  });

  it("the GitHub emulator lets gh view and rerun workflow runs", async () => {
    expect(await inHello("run", "list")).toContain(
      "completed\tfailure\tFix greeting for empty names\tCI",
    );
    expect(await inHello("run", "view", "1002")).toContain("X test in 4m0s (ID 1004)");
    expect(await inHello("run", "view", "1002", "--log")).toMatch(/^lint\tSet up job\t2026-/);
    expect(await inHello("run", "view", "--job", "1004", "--log")).toContain(
      "test\tRun npm test\t",
    );
    const failed = await inHello("run", "view", "1002", "--log-failed");
    expect(failed.split("\n").at(-2)).toContain("##[error]Process completed with exit code 1.");
    await inHello("run", "rerun", "1002", "--failed");
    await inHello("run", "rerun", "1001");
    await inHello("run", "cancel", "1004");
    expect(await inHello("workflow", "list")).toContain("CI\tactive\t1001");
    expect(await inHello("workflow", "view", "CI", "--yaml")).toContain("name: CI");
    await inHello("workflow", "run", "Publish", "-f", "version=1.0");
    await inHello("workflow", "disable", "CI");
    await inHello("workflow", "enable", "CI");
    expect(github.applied()).toMatchObject({
      rerun: 2,
      cancelRun: 1,
      dispatchWorkflow: 1,
      disableWorkflow: 1,
    });
  });

  it("the GitHub emulator lets gh create and edit releases and labels", async () => {
    writeFileSync(join(gh.folder, "a.txt"), "text");
    writeFileSync(join(gh.folder, "b.txt"), "more");
    expect(await inHello("release", "list")).toContain("1.1.0\tLatest\tv1.1.0");
    expect(await inHello("release", "view", "v1.0.0")).toContain("asset:\thello-1.0.0.tgz");
    await inHello(
      "release",
      "create",
      "v3.0.0",
      "a.txt",
      "-t",
      "Three",
      "-n",
      "Notes",
      "--target",
      "main",
    );
    await inHello("release", "upload", "v3.0.0", "b.txt");
    await inHello("release", "edit", "v3.0.0", "--prerelease", "-t", "Drei");
    await inHello("release", "download", "v3.0.0", "-p", "b.txt", "-D", "down");
    expect(
      await json("release", "view", "v3.0.0", "--json", "name,isPrerelease,assets"),
    ).toMatchObject({
      name: "Drei",
      isPrerelease: true,
      assets: [
        { name: "a.txt", size: 4 },
        { name: "b.txt", size: 4 },
      ],
    });
    await inHello("release", "delete", "v3.0.0", "-y");
    await inHello("label", "create", "shiny", "-c", "ff00ff", "-d", "Shines");
    await inHello("label", "edit", "shiny", "-n", "glossy");
    expect(await inHello("label", "list")).toContain("glossy\tShines\t#ff00ff");
    await inHello("label", "delete", "glossy", "--yes");
    expect(github.applied()).toMatchObject({
      createRelease: 1,
      uploadAsset: 2,
      deleteRelease: 1,
      createLabel: 1,
    });
  });

  it("the GitHub emulator lets gh create repositories and gists", async () => {
    await run(["repo", "create", "octocat/fresh", "--private", "-d", "New"]);
    await run(["repo", "edit", "octocat/fresh", "-d", "Newer"]);
    await run(["repo", "rename", "fresher", "-R", "octocat/fresh", "--yes"]);
    await run(["repo", "fork", "octo/hello", "--clone=false"]);
    await run(["repo", "archive", "octocat/fresher", "--yes"]);
    await run(["repo", "delete", "octocat/fresher", "--yes"]);
    expect(await run(["gist", "create", "-f", "x.md", "-"], TOKENS.octocat, "# x")).toContain(
      "gist.github.com",
    );
    expect(await run(["gist", "list"])).toContain("secret");
    expect(github.applied()).toMatchObject({
      createRepository: 1,
      forkRepository: 1,
      createGist: 1,
    });
  });

  it("the GitHub emulator lets gh api read a list page by page", async () => {
    const rows = await run([
      "api",
      "--paginate",
      "repos/octo/hello/labels?per_page=3",
      "--jq",
      ".[].name",
    ]);
    expect(rows.trim().split("\n")).toHaveLength(10);
    const head = await run(["api", "-i", "repos/octo/hello"]);
    expect(head).toMatch(/^HTTP\/1.1 200 OK/);
    expect(head).toMatch(/X-Ratelimit-Remaining: \d+/);
    const query = "query($owner: String!) { repositoryOwner(login: $owner) { login } }";
    expect(await run(["api", "graphql", "-f", `query=${query}`, "-f", "owner=octo"])).toBe(
      '{"data":{"repositoryOwner":{"login":"octo"}}}',
    );
    await run(["api", "repos/octo/hello/issues", "-f", "title=From the API"]);
    expect(github.applied()).toEqual({ createIssue: 1 });
    expect(await run(["api", "repos/octo/hello-world", "--jq", ".full_name"])).toBe("octo/hello\n");
  });

  it("the GitHub emulator returns GitHub's errors to gh", async () => {
    const view = ["issue", "view", "1", ...IN_HELLO];
    expect((await fails(["api", "user"], TOKENS.revoked)).stderr).toBe(
      "gh: Bad credentials (HTTP 401)\n",
    );
    expect((await fails(view, TOKENS.revoked)).stderr).toContain("HTTP 401: Bad credentials");
    const none = await fails(["issue", "view", "99", ...IN_HELLO], TOKENS.octocat);
    expect(none.stderr).toContain(
      "Could not resolve to an issue or pull request with the number of 99.",
    );
    const scoped = await fails(
      ["issue", "create", "-t", "T", "-b", "b", ...IN_HELLO],
      TOKENS.readOnly,
    );
    expect(scoped.stderr).toContain("Your token has not been granted the required scopes");
    const rest = await fails(["api", "repos/octo/hello/issues", "-f", "title=T"], TOKENS.readOnly);
    expect(rest.stderr).toContain('This API operation needs the "repo" scope.');
    github.faults.inject({ kind: "rate-limit", limit: "primary" });
    expect((await fails(view, TOKENS.octocat)).stderr).toMatch(
      /GraphQL: API rate limit exceeded for user ID/,
    );
    github.faults.inject({ kind: "drop" });
    expect((await fails(view, TOKENS.octocat)).stderr).toContain("EOF");
    expect(github.applied()).toEqual({});
  });

  it("the GitHub emulator lets gh trust the certificate authority of an Enterprise host", async () => {
    const tls = await startGithubEmulator({ https: true });
    const ca = join(gh.folder, "ca.pem");
    writeFileSync(ca, tls.ca ?? "");
    writeFileSync(join(gh.folder, "config.yml"), "prompt: disabled\n");
    const env = { GH_HOST: new URL(tls.url).host, GH_ENTERPRISE_TOKEN: TOKENS.octocat };
    const view = ["issue", "view", "1", "-R", "octo/hello", "--json", "number"];
    const trusting = await gh.run(view, { ...env, SSL_CERT_FILE: ca });
    expect(trusting).toMatchObject({ code: 0, stdout: '{"number":1}\n' });
    expect((await gh.run(view, env)).stderr).toContain("certificate");
    await tls.close();
  });

  it("the GitHub emulator serves gh as an Enterprise host", async () => {
    const env = { GH_HOST: "ghe.test", GH_ENTERPRISE_TOKEN: TOKENS.octocat };
    const { stdout } = await gh.run(
      ["issue", "view", "1", "-R", "octo/hello", "--json", "url"],
      env,
    );
    expect(stdout).toBe('{"url":"https://ghe.test/octo/hello/issues/1"}\n');
    const api = await gh.run(["api", "repos/octo/hello", "--jq", ".url"], env);
    expect(api.stdout).toBe("https://ghe.test/api/v3/repos/octo/hello\n");
  });
});
