import type { AttemptView, CallDetail } from "@waybill/server";
import { formatMs } from "../components/format.ts";
import { Panel } from "../components/panel.tsx";
import { getBar, getSpan } from "./timeline.ts";

const STATUS: Record<AttemptView["status"], { readonly words: string; readonly tone: string }> = {
  success: { words: "answered", tone: "good" },
  error: { words: "failed", tone: "bad" },
  skipped: { words: "skipped", tone: "" },
  wait: { words: "waited", tone: "warn" },
};

/** The attempts in order, and why each failed or was skipped. */
export function Waterfall({ call }: { readonly call: CallDetail }) {
  const { timeline, duration_ms } = call;
  const span = getSpan(timeline, duration_ms);
  if (timeline.length === 0) {
    return (
      <Panel title="Attempts">
        <p class="soft">
          No route was tried:{" "}
          {call.ok
            ? "the call needed no request, for example because its answer was stored."
            : "the call was refused before a route was chosen."}
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="Attempts" aside={`over ${formatMs(span)}`}>
      <ol class="waterfall">
        {timeline.map((attempt, index) => (
          <Attempt key={index} attempt={attempt} span={span} />
        ))}
      </ol>
    </Panel>
  );
}

function Attempt({ attempt, span }: { readonly attempt: AttemptView; readonly span: number }) {
  const { route, status, error_code, reason, at_ms, duration_ms } = attempt;
  const { start, width } = getBar(attempt, span);
  return (
    <li class="attempt" data-status={status}>
      <span class="attempt-route mono">{route}</span>
      <span class="attempt-track" aria-hidden="true">
        <span class="attempt-bar" style={{ left: `${start}%`, width: `${width}%` }} />
      </span>
      <span class="attempt-time" title={`began after ${formatMs(at_ms)}`}>
        {status === "skipped" ? "–" : formatMs(duration_ms)}
      </span>
      <span class="attempt-words">
        <span class="tag" data-tone={STATUS[status].tone}>
          {STATUS[status].words}
        </span>
        {error_code !== undefined && <code>{error_code}</code>}
        {reason !== undefined && <span class="soft">{reason}</span>}
      </span>
    </li>
  );
}
