import type { ComponentChildren } from "preact";

interface PanelProps {
  readonly title: string;
  /** Small text that follows the title. */
  readonly aside?: ComponentChildren;
  /** Content at the end of the title's line. */
  readonly end?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

export function Panel({ title, aside, end, children, class: name = "" }: PanelProps) {
  return (
    <section class={`panel ${name}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside !== undefined && <span class="soft small">{aside}</span>}
        {end !== undefined && <span class="end row">{end}</span>}
      </header>
      {children}
    </section>
  );
}
