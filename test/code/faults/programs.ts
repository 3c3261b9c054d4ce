/** A run's program, and how many writes it makes when nothing goes wrong. */
export interface FaultProgram {
  readonly program: string;
  readonly writes: number;
}

/** Programs of several shapes; every write says which one it is. */
export function programFor(run: string, shape: number, writes: number): FaultProgram {
  const text = `\`${run}/\${n}\``;
  const numbers = JSON.stringify(Array.from({ length: writes }, (_, n) => n));
  const shapes = [
    `for (const n of ${numbers}) await note.write({ text: ${text} }); return ${writes}`,
    `await Promise.all(${numbers}.map((n) => note.write({ text: ${text} }))); return ${writes}`,
    `for (const n of ${numbers}) { const r = await note.read({ text: ${text} }); await note.write({ text: r.text }); } return ${writes}`,
    `await Promise.all(${numbers}.map(async (n) => { await note.read({ text: "x" }); await note.write({ text: ${text} }); })); return ${writes}`,
  ];
  return { program: shapes[shape % shapes.length]!, writes };
}
