import { useState } from "preact/hooks";
import { formatCount } from "./format.ts";

const FIRST = 600;
const STEP = 20_000;

interface LongTextProps {
  readonly text: string;
  readonly class?: string;
  /** How many characters are drawn at first. */
  readonly first?: number;
}

/** Text of any length, drawn piece by piece. */
export function LongText({ text, first = FIRST, class: name }: LongTextProps) {
  const [length, setLength] = useState(first);
  const left = text.length - length;
  return (
    <span class={name}>
      {left > 0 ? text.slice(0, length) : text}
      {left > 0 && (
        <button type="button" class="button quiet" onClick={() => setLength((now) => now + STEP)}>
          {formatCount(left)} more characters
        </button>
      )}
    </span>
  );
}
