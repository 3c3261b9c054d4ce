import { NUMBERED_INPUTS } from "@waybill/github";
import { packSpecs } from "@waybill/github/cards";
import { signatureOf } from "./signature.ts";
import type { Signature } from "./signature.ts";
import { signatureLines } from "./signature-lines.ts";

export interface SkillOptions {
  /** `lean` says how to call; `indexed` also what there is to call, with its inputs. */
  readonly form: "lean" | "indexed";
}

/** The rules an agent works by; whoever reads this pays for each word in every session. */
const RULES = `Waybill calls GitHub and other configured APIs:
- Do all with \`execute(capability_id, params)\`; in a shell \`waybill run <id> key=value … --brief --select title,items.number\`.
- Many calls: \`chain\` (\`waybill chain --brief --steps '[{"id":"a","task":id,"input":{},"select":[]},…]'\`); inputs take \`{"$from":"a.data.x"}\`; \`[]\`: nothing.
- Never read \`gh help\`, API docs or schemas.
- Guess params: a wrong call tells the signature. Or \`explain\`, \`list_capabilities\` (\`waybill capabilities explain <id>|search <words> --brief\`), or ask.
- Use only \`data\` or \`error\` (failure). Retry once if \`retryable\`.
- Lists: \`first\`, \`after\` = \`meta.pagination.end_cursor\`; cut: \`result.read {handle}\`.`;

function domainsOf(signatures: readonly Signature[]): string {
  const domains = signatures.map(({ id }) => id.slice(0, id.indexOf(".")));
  return [...new Set(domains)].join(" ");
}

const NAMING =
  'Ids: thing[.part].verb: issue.view, issue.comments.create. Inputs: `repo` "owner/name", `number`, title, body, state …';

function things(signatures: readonly Signature[]): string {
  return `Things: ${domainsOf(signatures)}. Verbs: list view create update delete, add remove set …`;
}

function indexOf(signatures: readonly Signature[]): string {
  const within = signatures.filter(({ hasRepository }) => hasRepository);
  const without = signatures.filter(({ hasRepository }) => !hasRepository);
  return [
    "All that is on GitHub; ? is optional, of a|b one is needed. With `repo`, and `number` where # stands:",
    ...signatureLines(within),
    "Without `repo`:",
    ...signatureLines(without),
  ].join("\n");
}

/** What an agent is told of Waybill, made from the cards so that it cannot fall behind them. */
export function skillText({ form }: SkillOptions): string {
  const signatures = packSpecs().map((spec) => signatureOf(spec, NUMBERED_INPUTS));
  const known = form === "lean" ? things(signatures) : indexOf(signatures);
  return [RULES, "", NAMING, known].join("\n");
}
