/** The views of the page, in the order of its links. */
export const VIEWS = [
  { view: "calls", title: "Calls" },
  { view: "capabilities", title: "Capabilities" },
  { view: "sources", title: "Sources" },
  { view: "graph", title: "Code graph" },
  { view: "tokens", title: "Tokens" },
] as const;

export function viewTitle(view: string): string | undefined {
  return VIEWS.find((one) => one.view === view)?.title;
}
