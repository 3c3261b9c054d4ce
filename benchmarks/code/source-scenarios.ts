import type { BulkTask } from "./scenarios.ts";

/**
 * Tasks on a help desk with 60 tickets, described by OpenAPI, and an MCP server with notes. The shell
 * lines use curl and jq, and the command `mcp` of mcptools.
 */
export const SOURCE_TASKS: readonly BulkTask[] = [
  {
    name: "close 12 of 60 tickets",
    program:
      'const l=(await desk.tickets.list()).filter(t=>/refund/.test(t.subject));for(const t of l)desk.tickets.update(t.id,{body:{status:"closed"}});l.length',
    answer: "12",
    shell: `H="authorization: Bearer $T"; curl -sH "$H" $D/tickets | jq '.[]|select(.subject|test("refund")).id' | tee l | xargs -I{} curl -sH "$H" -H 'content-type: application/json' -XPATCH $D/tickets/{} -d '{"status":"closed"}' >/dev/null; wc -l <l`,
    printed: "12",
    shellRequests: 13,
  },
  {
    name: "open tickets by plan of the customer",
    program:
      'const [t,c]=await Promise.all([desk.tickets.list(),desk.customers.list()]),n={};for(const x of t)if(x.status=="open"){const p=c.find(y=>y.id==x.customer).plan;n[p]=(n[p]??0)+1}n',
    answer: '"free":',
    shell: `H="authorization: Bearer $T"; jq -n --argjson t "$(curl -sH "$H" $D/tickets)" --argjson c "$(curl -sH "$H" $D/customers)" '[$t[]|select(.status=="open")|.customer as $i|$c[]|select(.id==$i).plan]|group_by(.)|map({(.[0]):length})|add'`,
    printed: '{\n  "free": 24,\n  "pro": 24\n}',
    shellRequests: 2,
  },
  {
    name: "urgent tickets without a reply",
    program:
      'const u=(await desk.tickets.list()).filter(t=>t.urgent);(await Promise.all(u.map(t=>desk.tickets.view(t.id)))).filter(t=>!t.replies.length).map(t=>t.id).join(" ")',
    answer: "10 30 50",
    shell: `H="authorization: Bearer $T"; for i in $(curl -sH "$H" $D/tickets | jq '.[]|select(.urgent).id'); do curl -sH "$H" $D/tickets/$i | jq 'select(.replies==[]).id'; done`,
    printed: "10\n30\n50",
    shellRequests: 7,
  },
  {
    name: "notes of 10 customers that mention a contract",
    program:
      'const l=await Promise.all(Array.from({length:10},(_,n)=>notes.read_note("customer-"+n)));l.filter(x=>/contract/.test(x.text)).map(x=>x.title).join(" ")',
    answer: "customer-0 customer-5",
    shell: `for n in 0 1 2 3 4 5 6 7 8 9; do mcp call read_note -p "{\\"title\\":\\"customer-$n\\"}" -f json $M | jq -r '.structuredContent|select(.text|test("contract")).title'; done`,
    printed: "customer-0\ncustomer-5",
    shellRequests: 10,
  },
  {
    name: "a note for each of 6 urgent tickets",
    program:
      'const u=(await desk.tickets.list()).filter(t=>t.urgent);for(const t of u)notes.write_note({title:"ticket-"+t.id,text:t.subject});u.length',
    answer: "6",
    shell: `curl -sH "authorization: Bearer $T" $D/tickets | jq -c '.[]|select(.urgent)|{title:"ticket-\\(.id)",text:.subject}' | tee l | while read p; do mcp call write_note -p "$p" $M >/dev/null; done; wc -l <l`,
    printed: "6",
    shellRequests: 7,
  },
];
