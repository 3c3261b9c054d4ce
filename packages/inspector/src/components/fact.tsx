import type { ComponentChildren } from "preact";

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A name and its value, in a list of such. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
