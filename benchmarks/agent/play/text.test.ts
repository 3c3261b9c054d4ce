import { expect, it } from "vitest";
import { steady, countedText } from "./text.ts";

it("the recorded text of an answer replaces only the parts that differ from run to run", () => {
  const warning = "Answered by the embedded GitHub at /tmp/x/s, not by github.com";
  const meta = {
    route_used: "graphql",
    warnings: [warning],
    request_id: "abc1",
    duration_ms: 20.675,
  };
  expect(steady(JSON.stringify({ ok: true, meta }), [])).toBe(
    '{"ok":true,"meta":{"route_used":"graphql","request_id":"dtGaIZ531","duration_ms":21.3}}',
  );
  const brief = { data: { n: 1 }, meta: { warnings: [warning] } };
  expect(steady(JSON.stringify(brief), [])).toBe('{"data":{"n":1}}');
  const other = { warnings: [warning, "nothing to select at x"] };
  expect(steady(JSON.stringify(other), [])).toBe('{"warnings":["nothing to select at x"]}');
});

it("the recorded text of an answer has no hints about sources that are still loading", () => {
  const hint = "Not all sources could be read. The source github has not answered.";
  const details = { did_you_mean: ["issue.view"], hint, signature: "issue.view(owner)" };
  expect(steady(JSON.stringify(details), [])).toBe(
    '{"did_you_mean":["issue.view"],"signature":"issue.view(owner)"}',
  );
});

function approvalTexts(code: string): string[] {
  return [
    `!POLICY a.b needs an approval | Ask the user; repeat with approve ${code}`,
    `waybill code --brief --approve ${code}`,
    `{"options":{"approve":"${code}"}}`,
  ];
}

it("the recorded text of an answer has fixed approval codes with an unchanged length", () => {
  const call = "ok109876543210987654321098";
  const program = "109876543210987";
  for (const [code, shown] of [
    [call, "ok613245752291623094118520"],
    [program, "613245752291623"],
  ] as const) {
    const steadied = approvalTexts(code).map((text) => steady(text, []));
    expect(steadied).toEqual(approvalTexts(shown));
  }
});

function handleTexts(handle: string): string[] {
  return [
    `truncated: true\nhandle: ${handle}\n`,
    `{"capability_id":"result.read","params":{"handle":"${handle}","cursor":"qa56ie.f1.60."}}`,
  ];
}

it("the recorded text of an answer has a fixed handle for stored results, with an unchanged length", () => {
  const steadied = handleTexts("r271828182845904523536028747135266249775").map((text) =>
    steady(text, []),
  );
  expect(steadied).toEqual(
    handleTexts("r314159265358979323846264338327950288419").map((text) => text.trimEnd()),
  );
});

it("the recorded text of an answer has one name for all paths of the local machine", () => {
  expect(steady('{"root":"/tmp/a1/zod"}', ["/tmp/a1/zod", "/tmp/a1"])).toBe('{"root":"/repo"}');
});

it("the benchmark counts tokens as the o200k tokenizer does", () => {
  expect(countedText("x", "gh issue view 1 -R octo/hello").tokens).toBe(11);
});
