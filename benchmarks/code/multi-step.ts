/** A program for a task of a few steps, with the name of its scenario in benchmarks/agent. */
export interface MultiStepTask {
  readonly scenario: string;
  readonly program: string;
  /** The expected answer, or a part of it. */
  readonly answer: string;
  /** Mutations that GitHub must apply. */
  readonly mutations: Readonly<Record<string, number>>;
}

/** The tasks as programs that an expert would write. They are compared with an expert's `gh` commands. */
export const MULTI_STEP_TASKS: readonly MultiStepTask[] = [
  {
    scenario: "chain-branch-file-pr",
    program: `const r="octo/hello",branch="docs/hola",m="Document hola";await globalThis.branch.create(r,{branch});await file.commit(r,{branch,message:m,files:[{path:"docs/hola.md",content:"Hola.\\n"}]});(await pr.create(r,{title:m,head:branch,base:"main"})).number`,
    answer: "1",
    mutations: { createRef: 1, commitOnBranch: 1, createPull: 1 },
  },
  {
    scenario: "chain-issue-and-comment",
    program: `const r="octo/hello",{number:n}=await issue.create(r,{title:"Greet in Italian"});await issue.comments.create(r+"#"+n,{body:"Ciao!"});n`,
    answer: "1",
    mutations: { createIssue: 1, addComment: 1 },
  },
  {
    scenario: "chain-project-note",
    program: `const p={owner:"octo",projectNumber:1},[i]=await project_v2.items.list(p),f=await project_v2.fields.list(p);project_v2.items.field.update({...p,itemId:i.id,fieldId:f.find(f=>f.name=="Notes").id,valueText:"Ask Mona"});0`,
    answer: "0",
    mutations: { setProjectValue: 1 },
  },
  {
    scenario: "chain-why-red",
    program: `const r="octo/hello",[c]=await pr.checks.list(r+"#6",{state:"failed"}),w=await workflow.run.view(r+"#"+c.runId);(await workflow.job.logs.view(r,{jobId:w.jobs.find(j=>j.conclusion=="FAILURE").id})).summary.topErrorLines.join("\\n")`,
    answer: "to be 'Hello!'",
    mutations: {},
  },
  {
    scenario: "chain-rerun-failed",
    program: `const r="octo/hello",[l]=await workflow.runs.list(r,{branch:"fix/empty-name"});workflow.run.rerun.failed(r+"#"+l.id);0`,
    answer: "0",
    mutations: { rerun: 1 },
  },
  {
    scenario: "chain-resolve-thread",
    program: `const [t]=await pr.threads.list("octo/hello#6"),threadId=t.id;await pr.threads.reply({threadId,body:"Done."});(await pr.threads.resolve({threadId})).isResolved`,
    answer: "true",
    mutations: { replyToThread: 1, resolveThread: 1 },
  },
  {
    scenario: "chain-three-states",
    program: `const r="octo/hello#";(await Promise.all([issue.view(r+4),issue.view(r+5),pr.view(r+8)])).map(x=>x.state)`,
    answer: "CLOSED",
    mutations: {},
  },
  {
    scenario: "chain-triage",
    program: `const i="octo/hello#3";issue.labels.add(i,{labels:["enhancement"]});issue.assignees.add(i,{assignees:["monalisa"]});issue.comments.create(i,{body:"Planned for v1.2"});0`,
    answer: "0",
    mutations: { addLabels: 1, addAssignees: 1 },
  },
  {
    scenario: "error-branch-missing",
    program: `const r="octo/hello",head="try/fix",p=()=>pr.create(r,{title:"Try the fix",head,base:"main"});(await p().catch(async()=>{await branch.create(r,{branch:head,from:"fix/empty-name"});return p()})).number`,
    answer: "1",
    mutations: {},
  },
  {
    scenario: "error-label-exists",
    program: `const a=["octo/hello",{label:"bug",color:"ff0000"}];(await label.create(...a).catch(()=>label.update(...a))).color`,
    answer: "ff0000",
    mutations: { updateLabel: 1 },
  },
  {
    scenario: "error-label-missing",
    program: `const r="octo/hello",l="urgent";await label.create(r,{label:l}).catch(()=>0);issue.labels.add(r+"#2",{labels:[l]});0`,
    answer: "0",
    mutations: { createLabel: 1 },
  },
];
