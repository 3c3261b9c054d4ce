import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isRefused, token } from "../api/token.ts";
import { Approvals } from "../approvals/approvals.tsx";
import { Calls } from "../calls/calls.tsx";
import { Call } from "../call/call.tsx";
import { Capabilities } from "../capabilities/capabilities.tsx";
import { Capability } from "../capability/capability.tsx";
import { HOME } from "../router/route.ts";
import type { Place } from "../router/route.ts";
import { place } from "../router/router.ts";
import { Sources } from "../sources/sources.tsx";
import { Tokens } from "../tokens/tokens.tsx";
import { Banner } from "./banner.tsx";
import { Keys } from "./keys.tsx";
import { LazyGraph } from "./lazy-graph.tsx";
import { Masthead } from "./masthead.tsx";
import { Palette } from "./palette.tsx";
import { TokenGate } from "./token-gate.tsx";
import { viewTitle } from "./views.ts";

/** Views that scroll by themselves and fill the window. */
const FILLING: readonly string[] = ["calls", "graph"];

export function App() {
  const { view, id } = place.value;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // After following a link by keyboard, the focus moves to its target.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
    document.title = [id, viewTitle(view), "Waybill"].filter(Boolean).join(" · ");
  }, [view, id]);
  const isOpen = token.value !== "" && !isRefused.value;
  const fills = isOpen && id === undefined && FILLING.includes(view);
  return (
    <>
      <a class="skip" href="#main" onClick={skipTo(main)}>
        Skip to the content
      </a>
      <Masthead />
      <Keys />
      {isOpen && <Palette />}
      <Banner />
      {isOpen && <Approvals />}
      <main id="main" ref={main} tabIndex={-1} class={fills ? "fills" : undefined}>
        {isOpen ? viewAt(place.value) : <TokenGate />}
      </main>
    </>
  );
}

/** Moves the focus without changing the URL, which belongs to the router. */
function skipTo(main: { readonly current: HTMLElement | null }) {
  return (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
}

function viewAt({ view, id }: Place): ComponentChildren {
  if (view === "calls") return id === undefined ? <Calls /> : <Call key={id} id={id} />;
  if (view === "capabilities") {
    return id === undefined ? <Capabilities /> : <Capability key={id} id={id} />;
  }
  if (view === "sources") return <Sources />;
  if (view === "graph") return <LazyGraph />;
  if (view === "tokens") return <Tokens />;
  return (
    <div class="stack">
      <h1>This view does not exist</h1>
      <a href={HOME}>Go to the calls</a>
    </div>
  );
}
