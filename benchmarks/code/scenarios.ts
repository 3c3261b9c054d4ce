/** A task over many items: as a program, and as an expert's shell lines. */
export interface BulkTask {
  readonly name: string;
  /** A program that prepares the world for the task. */
  readonly prepare?: string;
  readonly program: string;
  /** A string in the answer that proves that the task was done. */
  readonly answer: string;
  /** Whether the task needs a person's approval. If so, the run is resumed with the approval. */
  readonly isApproved?: boolean;
  readonly shell: string;
  /** The expected output of the shell lines. */
  readonly printed: string;
  /** The number of requests of the shell lines, counted with gh 2 on the same world. */
  readonly shellRequests: number;
}

const TODO_FILES = Array.from({ length: 30 }, (_, n) => `src/file${n}.ts`);

/** Tasks on the world of the benchmark: octo/atlas has 241 issues, 130 commits, 120 comments. */
export const BULK_TASKS: readonly BulkTask[] = [
  {
    name: "triage: label 40 of 241 issues",
    program:
      'const r="octo/atlas",l=(await issue.list(r)).filter(i=>/harbour/.test(i.title));for(const i of l)issue.labels.add(r+"#"+i.number,{labels:["bug"]});l.length',
    answer: "40",
    shell: `gh issue list -R octo/atlas -L 999 --json number,title -q '.[]|select(.title|test("harbour")).number' | tee l | xargs -n1 -I{} gh issue edit {} -R octo/atlas --add-label bug >/dev/null; wc -l <l`,
    printed: "40",
    shellRequests: 123,
  },
  {
    name: "release notes of 131 commits, as a draft",
    program:
      'const r="octo/atlas",c=await commit.list(r);(await release.create(r,{tagName:"v9",notes:c.map(x=>"- "+x.message.split("\\n")[0]).join("\\n")})).url',
    answer: "https://",
    shell: `gh api 'repos/octo/atlas/commits?per_page=100' --paginate -q '.[].commit.message|split("\\n")[0]|"- "+.' > n; gh release create v9 -R octo/atlas -d -F n`,
    printed: "https://github.com/octo/atlas/releases/tag/untagged-0123456789abcdef0123",
    shellRequests: 3,
  },
  {
    name: "why are open pull requests red",
    program: `const r="octo/hello",o=[];for(const s of await Promise.all((await pr.list(r,{state:"open"})).map(p=>pr.status(r+"#"+p.number))))for(const f of s.failing){const w=await workflow.run.view(r,{runId:f.runId}),j=w.jobs.find(j=>j.conclusion=="FAILURE");o.push(s.number+" "+(await workflow.job.logs.view(r,{jobId:j.id})).failedStep)}o.join("\\n")`,
    answer: "6",
    shell: `for n in $(gh pr list -R octo/hello --json number -q .[].number); do gh pr checks $n -R octo/hello | grep fail | cut -f4 | grep -o 'runs/[0-9]*' | cut -d/ -f2 | sort -u | while read i; do echo $n $(gh run view $i -R octo/hello --json jobs -q '.jobs[]|select(.conclusion=="failure").steps[]|select(.conclusion=="failure").name'); done; done`,
    printed: "6 Run npm test",
    shellRequests: 12,
  },
  {
    name: "issues that none of 120 comments speaks of",
    program:
      'const r="octo/atlas",s=(await issue.comments.list(r+"#1")).map(c=>c.body).join();(await issue.list(r)).filter(i=>!s.includes(i.title.slice(8))).length',
    answer: "121",
    shell: `gh api repos/octo/atlas/issues/1/comments --paginate -q .[].body > c; gh issue list -R octo/atlas -L 999 --json title -q '.[].title[8:]' | grep -vxFf <(grep -o '[a-z]*, sheet [0-9]*' c) | wc -l`,
    printed: "121",
    shellRequests: 5,
  },
  {
    name: "delete 12 stale branches, with an approval",
    prepare:
      'Array.from({length:12},(_,n)=>globalThis.branch.create("octo/atlas",{branch:"old/"+n}))',
    program:
      'const r="octo/atlas";for(const b of await branch.list(r))/^old/.test(b.name)&&branch.delete(r,{branch:b.name})',
    answer: "null",
    isApproved: true,
    shell: `gh api repos/octo/atlas/branches --paginate -q '.[].name|select(test("^old"))' | tee b | xargs -n1 -I{} gh api -X DELETE repos/octo/atlas/git/refs/heads/{}; wc -l < b`,
    printed: "12",
    shellRequests: 13,
  },
  {
    name: "which of 30 files have a TODO",
    prepare: `file.commit("octo/atlas",{branch:"main",message:"Add files",files:${JSON.stringify(
      TODO_FILES.map((path, n) => ({ path, content: n % 10 === 0 ? "// TODO\\n" : "ok\\n" })),
    )}})`,
    program:
      'const r="octo/atlas",l=await file.list(r,{path:"src"});(await Promise.all(l.map(f=>file.view(r,{path:f.path})))).filter(f=>/TODO/.test(f.text)).map(f=>f.path).join(" ")',
    answer: "src/file0.ts",
    shell: `for f in $(gh api repos/octo/atlas/contents/src -q .[].path); do gh api repos/octo/atlas/contents/$f -q .content | base64 -d | grep -q TODO && echo $f; done`,
    printed: "src/file0.ts src/file10.ts src/file20.ts",
    shellRequests: 31,
  },
  {
    name: "two repositories in a table",
    program:
      'Promise.all(["hello","atlas"].map(async n=>{const r="octo/"+n,v=await repo.view(r);return{n,stars:v.stargazerCount,issues:(await issue.list(r)).length,prs:(await pr.list(r)).length}}))',
    answer: "hello",
    shell: `for n in hello atlas; do echo $n $(gh repo view octo/$n --json stargazerCount,issues,pullRequests -q '[.stargazerCount,.issues.totalCount,.pullRequests.totalCount]|@tsv'); done`,
    printed: "hello 2 3 4\natlas 0 241 0",
    shellRequests: 2,
  },
];
