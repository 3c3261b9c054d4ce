import type { ComponentChildren } from "preact";

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One name and value of a definition list. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
