import { useState } from "preact/hooks";
import { isNested, isOpenAtFirst, visibleMembers, readPreview } from "./json-parts.ts";
import { LongText } from "./long-text.tsx";

const PAGE = 100;

/**
 * A JSON value of any size. Collapsed parts are not drawn, and long lists are drawn page by page.
 */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <div class="json mono" role="group" aria-label={label} tabIndex={0}>
      <Value value={value} depth={0} />
    </div>
  );
}

interface ValueProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}

function Value({ name, value, depth }: ValueProps) {
  const isEmpty = isNested(value) && visibleMembers(value, 1).shown.length === 0;
  if (isNested(value) && !isEmpty) return <Nested name={name} value={value} depth={depth} />;
  return (
    <div class="json-line">
      {name !== undefined && <span class="json-name">{name}</span>}
      {isNested(value) ? Array.isArray(value) ? "[]" : "{}" : <Scalar value={value} />}
    </div>
  );
}

function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value === "string") return <LongText class="json-text" text={value} />;
  return <span class={`json-${typeof value}`}>{String(value)}</span>;
}

interface NestedProps {
  readonly name: string | undefined;
  readonly value: object;
  readonly depth: number;
}

function Nested({ name, value, depth }: NestedProps) {
  const [isOpen, setOpen] = useState(() => isOpenAtFirst(value, depth));
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {name !== undefined && <span class="json-name">{name}</span>}
        <span class="soft">{readPreview(value)}</span>
      </summary>
      {isOpen && <MemberList value={value} depth={depth} />}
    </details>
  );
}

function MemberList({ value, depth }: { readonly value: object; readonly depth: number }) {
  const [limit, setLimit] = useState(PAGE);
  const { shown, left } = visibleMembers(value, limit);
  return (
    <div class="json-members">
      {shown.map(([key, member]) => (
        <Value key={key} name={key} value={member} depth={depth + 1} />
      ))}
      {left > 0 && (
        <button type="button" class="button quiet" onClick={() => setLimit(limit + PAGE)}>
          {Math.min(PAGE, left)} more of {left.toLocaleString("en")}
        </button>
      )}
    </div>
  );
}
