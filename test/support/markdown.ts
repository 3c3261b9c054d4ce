/** A fenced block of a page. */
interface CodeBlock {
  readonly language: string;
  readonly code: string;
  readonly line: number;
  /** The line after the block's closing fence. */
  readonly end: number;
}

/** A program of a page, and its output if the next block shows it. */
export interface Snippet {
  readonly code: string;
  readonly line: number;
  readonly output: CodeBlock | undefined;
}

export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = text.split("\n");
  for (let line = 0; line < lines.length; line++) {
    const language = /^```(\w*)$/.exec(lines[line]!)?.[1];
    if (language === undefined) continue;
    const length = lines.slice(line + 1).indexOf("```");
    const code = lines.slice(line + 1, line + 1 + length).join("\n");
    blocks.push({ language, code, line: line + 1, end: line + length + 2 });
    line += length + 1;
  }
  return blocks;
}

/** A block shows a snippet's output if only a blank line is between them. */
export function snippetsIn(text: string): Snippet[] {
  const blocks = codeBlocks(text);
  return blocks
    .filter(({ language }) => language === "ts")
    .map((block) => ({ code: block.code, line: block.line, output: findOutput(block, blocks) }));
}

function findOutput(block: CodeBlock, blocks: readonly CodeBlock[]): CodeBlock | undefined {
  const next = blocks.find(({ line }) => line > block.line);
  const follows = next !== undefined && next.line - block.end === 2;
  return follows && (next.language === "json" || next.language === "text") ? next : undefined;
}

/** The requests of a page, and the answers if the next block shows them. */
export function curlsIn(text: string): Snippet[] {
  const blocks = codeBlocks(text);
  return blocks
    .filter(({ language, code }) => language === "sh" && code.startsWith("curl "))
    .map((block) => ({ code: block.code, line: block.line, output: findOutput(block, blocks) }));
}

/** The commands of a page, line by line. Requests are not commands of this repository. */
export function shellCommands(text: string): string[] {
  return codeBlocks(text)
    .filter(({ language, code }) => language === "sh" && !code.startsWith("curl "))
    .flatMap(({ code }) => code.trim().split("\n"));
}

/** Programs that a sentence of the page tells the reader to run with node. */
export function nodeCommands(text: string): string[] {
  return [...text.matchAll(/`node (-[^`]+)`/g)].map(([, args]) => args!);
}
