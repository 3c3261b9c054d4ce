/** A program, and how many writes it makes if nothing fails. */
export interface FaultProgram {
  readonly program: string;
  /**
   * The expected number; undefined for a program that continues after a failure and returns the
   * number of applied writes.
   */
  readonly writes: number | undefined;
}

export const SHAPES = 9;

/** Programs of several kinds. Every write contains its own number. */
export function programFor(run: string, shape: number, writes: number): FaultProgram {
  const text = `\`${run}/\${n}\``;
  const list = JSON.stringify(Array.from({ length: writes }, (_, n) => n));
  const each = `for (const n of ${list})`;
  const exact = [
    `${each} await note.write({ text: ${text} }); return ${writes}`,
    `await Promise.all(${list}.map((n) => note.write({ text: ${text} }))); return ${writes}`,
    `${each} { const r = await note.read({ text: ${text} }); await note.write({ text: r.text }); } return ${writes}`,
    `await Promise.all(${list}.map(async (n) => { await note.read({ text: "x" }); await note.write({ text: ${text} }); })); return ${writes}`,
    `${each} await note.write({ text: ${text} + Math.random() + Date.now() }); return ${writes}`,
  ];
  const open = [
    `let done = 0; ${each} { try { await note.write({ text: ${text} }); done++ } catch (e) { if (e.outcome !== "not_applied") continue; await note.write({ text: ${text} + "b" }); done++ } } return done`,
    `const all = await Promise.allSettled(${list}.map((n) => note.write({ text: ${text} }))); return all.filter((r) => r.status === "fulfilled").length`,
    `let done = 0; ${each} { try { await note.write({ text: ${text} }); done++ } finally { await note.write({ text: ${text} + "b" }); done++ } } return done`,
    `let done = 0; ${each} { const [r] = await Promise.all([note.write.result({ text: ${text} }), note.read({ text: "x" })]); if (r.ok) done++ } return done`,
  ];
  const at = shape % SHAPES;
  return at < exact.length
    ? { program: exact[at]!, writes }
    : { program: open[at - exact.length]!, writes: undefined };
}
