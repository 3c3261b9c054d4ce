export interface Listed {
  readonly capability_id: string;
  readonly description: string;
}

export interface Group {
  readonly domain: string;
  readonly items: readonly Listed[];
}

/** Groups by the word before the first dot, in order of first appearance. */
export function groupByDomain(items: readonly Listed[]): Group[] {
  const groups = new Map<string, Listed[]>();
  for (const item of items) {
    const [domain = ""] = item.capability_id.split(".", 1);
    const group = groups.get(domain);
    if (group === undefined) groups.set(domain, [item]);
    else group.push(item);
  }
  return [...groups].map(([domain, members]) => ({ domain, items: members }));
}
