import { describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "./command-table/index.ts";
import { jsonOf, makeWorld } from "./fixtures/world.ts";
import { version } from "./version.ts";

describe("version and help", () => {
  it.each([["--version"], ["-V"]])("waybill %s prints the version", async (flag) => {
    const world = await makeWorld(onTestFinished);
    expect(await world.run([flag])).toEqual({ code: 0, stdout: `${version()}\n`, stderr: "" });
  });

  it.each([["--help"], ["-h"], ["help"]])("waybill %s lists every command", async (word) => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run([word]);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) {
      expect(stdout).toContain(`  ${name}`);
      expect(stdout).toContain(summary);
    }
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    "waybill help %s prints the usage and options that --help prints",
    async (name, { options, usage }) => {
      const world = await makeWorld(onTestFinished);
      const asked = await world.run(["help", ...name.split(" ")]);
      expect(asked).toEqual(await world.run([...name.split(" "), "--bad", "--help"]));
      expect(asked.code).toBe(0);
      expect(asked.stdout).toContain(`waybill ${name} ${usage}`.trimEnd());
      for (const option of Object.keys(options)) expect(asked.stdout).toContain(`--${option}`);
      expect(asked.stdout).toMatchSnapshot();
    },
  );

  it.each([[["help", "capabilities"]], [["capabilities", "--help"]]])(
    "waybill %j lists the subcommands of the group",
    async (argv) => {
      const world = await makeWorld(onTestFinished);
      const { code, stdout } = await world.run(argv);
      expect(code).toBe(0);
      expect(stdout).toContain("capabilities explain <id>");
    },
  );

  it("waybill run does not read --help after -- as an option", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["run", "item.view", "id=1", "--", "--help"]);
    expect(code).toBe(2);
    expect(stdout).toContain("is not key=value");
  });
});

it("waybill alone prints the help on a terminal", async () => {
  const world = await makeWorld(onTestFinished);
  const { code, stdout } = await world.run([], { isTTY: true });
  expect([code, stdout]).toEqual([0, (await world.run(["--help"])).stdout]);
});

it.each([
  [[], "waybill --help"],
  [["pull-requests"], "waybill capabilities search pull requests"],
  [["connect", "github"], "Set GITHUB_TOKEN, or run: gh auth login"],
  [["graph", "search", "main"], "waybill capabilities explain graph.search lists them"],
])("waybill %j, run by a program, prints an error with the next step", async (argv, hint) => {
  const world = await makeWorld(onTestFinished);
  const { code, stdout } = await world.run(argv);
  expect([code, stdout]).toEqual([2, expect.stringContaining(hint)]);
});

const MISTAKES: readonly (readonly [string[], string, string | undefined])[] = [
  [["runn"], "There is no command runn; did you mean run?", "run"],
  [["explain"], "did you mean capabilities explain?", "capabilities explain"],
  [["--verson"], "did you mean --version?", "--version"],
  [["zzz"], "There is no command zzz", undefined],
  [["login"], "did you mean connect?", "connect"],
  [["history"], "did you mean inspect?", "inspect"],
  [["capabilities"], "needs one of list, explain, search", undefined],
  [["capabilities", "serch"], "has no serch; did you mean search?", "search"],
  [["help", "rnu"], "did you mean run?", "run"],
  [["run", "--trcae", "x"], "has no option --trcae; did you mean --trace?", "--trace"],
  [["run", "-z", "x"], "has no option -z", undefined],
  [["run", "item.view", "--trace=yes"], "--trace takes no value", undefined],
  [["run", "item.view", "--select"], "--select needs a value", undefined],
  [["run", "item.view", "--select="], "--select needs a value", undefined],
  [["run", "item.view", "--query", "--trace"], "as --query=--trace", undefined],
  [["run"], "needs the id of a capability", undefined],
  [["run", "id=3"], "needs the id of a capability", undefined],
  [["connect", "github"], "GitHub needs no connect", undefined],
  [["run", "item.view", "id=3", "!three"], '"!three" is not key=value', undefined],
  [["run", "item.view", "=3"], '"=3" is not key=value', undefined],
  [["run", "item.view", "--max-tokens", "many"], "--max-tokens must be a whole number", undefined],
  [["run", "item.view", "--deadline-ms=-5"], "--deadline-ms must be a whole number", undefined],
  [["run", "item.view", "--route", "gaphql"], "did you mean graphql?", "graphql"],
  [["run", "item.view", "--select", "a,,b"], "--select has an empty item", undefined],
  [["run", "item.view", "--input", "[1]"], "--input must be a JSON object", undefined],
  [["run", "item.view", "--input", "{id: 3}"], "--input is not JSON", undefined],
  [
    ["run", "item.view", "--input", '{"id":1,"id":2}'],
    '--input has the name "id" twice',
    undefined,
  ],
  [["chain", "--steps", '[{"task":"a","task":"b"}]'], "has the name", undefined],
  [["run", "item.view", "--input", "@none.json"], "none.json cannot be read", undefined],
  [["run", "item.view", "--input", "@cards"], "cards cannot be read", undefined],
  [["run", "item.view", "--input", "-"], "stdin is empty", undefined],
  [["chain"], "needs --steps", undefined],
  [["chain", "x"], 'takes no arguments, but got "x"', undefined],
  [["chain", "--steps", "{}"], "--steps must be a JSON list", undefined],
  [["chain", "--steps", "[]", "--on-error", "stopp"], "did you mean stop?", "stop"],
  [["capabilities", "list", "issue"], 'takes no arguments, but got "issue"', undefined],
  [["capabilities", "explain"], "needs one id", undefined],
  [["capabilities", "explain", "a.b", "c.d"], "needs one id", undefined],
  [["capabilities", "search"], "needs words", undefined],
  [["trust", "a", "b"], "takes one file", undefined],
  [["trust", "none.json"], "there is no such file; check the path", undefined],
];

describe("a wrong command line", () => {
  it.each(MISTAKES)(
    "waybill with the wrong command line %j, run by a program, prints an error envelope",
    async (argv, message, meant) => {
      const world = await makeWorld(onTestFinished);
      const ended = await world.run(argv);
      const { ok, error, meta } = jsonOf(ended);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toBe("");
      expect([ok, error.code, meta]).toEqual([false, "VALIDATION", { capability_id: "" }]);
      expect(error.message).toContain(message);
      expect(error.details?.["did_you_mean"]).toEqual(meant === undefined ? undefined : [meant]);
      expect(world.upstream.seen).toEqual([]);
    },
  );

  it.each(MISTAKES)(
    "waybill with the wrong command line %j, typed by a person, prints one sentence with the error",
    async (argv, message) => {
      const world = await makeWorld(onTestFinished);
      const { code, stdout, stderr } = await world.run(argv, { isTTY: true });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^waybill: /);
      expect(stderr).toContain(message);
    },
  );

  it("the error for an unknown option says which help page to read", async () => {
    const world = await makeWorld(onTestFinished);
    const { stderr } = await world.run(["run", "x.y", "-z", "a"], { isTTY: true });
    expect(stderr).toBe(
      "waybill: waybill run has no option -z\n  Inputs are written key=value or --key value; waybill help run\n",
    );
  });
});
