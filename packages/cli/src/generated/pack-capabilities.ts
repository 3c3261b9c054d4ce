// Generated from the packs by `npm run generate`. Do not edit.

/** Types of the capabilities that come with Waybill, by id. */
export interface PackCapabilities {
  /** Create a branch, by default from the default branch */
  "branch.create": {
    input: { owner: string; name: string; branch: string; from?: string };
    output: { name: string; oid: string };
  };
  /** Delete a branch */
  "branch.delete": {
    input: { owner: string; name: string; branch: string };
    output: { branch: string; deleted: boolean };
  };
  /** List the branches of a repository */
  "branch.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: { items: readonly { name: string; oid: string }[] };
  };
  /** Hide a comment as spam, off-topic, outdated or resolved, or show it again */
  "comment.minimize": {
    input: {
      commentId: string;
      minimized?: boolean;
      reason?: "ABUSE" | "DUPLICATE" | "OFF_TOPIC" | "OUTDATED" | "RESOLVED" | "SPAM";
    };
    output: { commentId: string; minimized: boolean; reason?: string | null };
  };
  /** Compare two branches, tags or commits */
  "commit.compare": {
    input: {
      owner: string;
      name: string;
      base: string;
      head: string;
      diff?: boolean;
      path?: string;
      fromHunk?: number;
      first?: number;
      after?: string | null;
    };
    output: {
      status: "AHEAD" | "BEHIND" | "DIVERGED" | "IDENTICAL";
      aheadBy: number;
      behindBy: number;
      mergeBaseOid: string;
      commits: readonly {
        oid: string;
        message: string;
        author: string | null;
        committedAt: string;
      }[];
      files: readonly {
        path: string;
        previousPath: string | null;
        status: string;
        additions: number;
        deletions: number;
        patch?: string | null;
        nextHunk?: number | null;
      }[];
      filesTruncated: boolean;
      url: string;
    };
  };
  /** List commits of a branch, tag or commit, newest first */
  "commit.list": {
    input: {
      owner: string;
      name: string;
      ref?: string;
      path?: string;
      author?: string;
      since?: string;
      until?: string;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        oid: string;
        message: string;
        author: string | null;
        authorName: string | null;
        committedAt: string;
        url: string;
      }[];
    };
  };
  /** Show a commit and the files it changed */
  "commit.view": {
    input: {
      owner: string;
      name: string;
      ref: string;
      diff?: boolean;
      path?: string;
      fromHunk?: number;
      first?: number;
      after?: string | null;
    };
    output: {
      oid: string;
      message: string;
      author: string | null;
      authorName: string | null;
      committedAt: string;
      parents: readonly string[];
      additions: number;
      deletions: number;
      files: readonly {
        path: string;
        previousPath: string | null;
        status: string;
        additions: number;
        deletions: number;
        patch?: string | null;
        nextHunk?: number | null;
      }[];
      url: string;
    };
  };
  /** Mark a comment as the answer of a discussion, or remove the mark */
  "discussion.answer.mark": {
    input: { commentId: string; answer?: boolean };
    output: { id: string; number: number; isAnswered: boolean | null; url?: string };
  };
  /** List the categories for discussions of a repository */
  "discussion.categories.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        name: string;
        slug: string;
        description?: string | null;
        isAnswerable?: boolean;
      }[];
    };
  };
  /** Comment on a discussion, or reply to a comment in it */
  "discussion.comments.create": {
    input: {
      owner: string;
      name: string;
      discussionNumber: number;
      body: string;
      replyTo?: string;
    };
    output: { id: string; body: string; createdAt?: string; url: string };
  };
  /** Delete a comment on a discussion */
  "discussion.comments.delete": {
    input: { commentId: string };
    output: { commentId: string; deleted: boolean };
  };
  /** Change a comment on a discussion */
  "discussion.comments.update": {
    input: { commentId: string; body: string };
    output: { id: string; body: string; updatedAt?: string; url: string };
  };
  /** Start a discussion */
  "discussion.create": {
    input: { owner: string; name: string; category: string; title: string; body: string };
    output: {
      id: string;
      number: number;
      title?: string;
      category?: string;
      createdAt?: string;
      url: string;
    };
  };
  /** List discussions, newest first */
  "discussion.list": {
    input: {
      owner: string;
      name: string;
      answered?: boolean;
      category?: string;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        number: number;
        title: string;
        author?: string | null;
        category?: string;
        isAnswered?: boolean | null;
        commentCount?: number;
        createdAt?: string;
        url: string;
      }[];
    };
  };
  /** Show a discussion and its comments, page by page */
  "discussion.view": {
    input: {
      owner: string;
      name: string;
      discussionNumber: number;
      first?: number;
      after?: string | null;
    };
    output: {
      id: string;
      number: number;
      title: string;
      author?: string | null;
      category?: string;
      body: string;
      closed?: boolean;
      isAnswered?: boolean | null;
      createdAt?: string;
      updatedAt?: string;
      comments: readonly {
        id?: string;
        author?: string | null;
        body?: string;
        isAnswer?: boolean;
        createdAt?: string;
        replyCount?: number;
        replies?: readonly { author?: string | null; body?: string; createdAt?: string }[];
      }[];
      url: string;
    };
  };
  /** Show which commit last changed each line of a file */
  "file.blame": {
    input: {
      owner: string;
      name: string;
      path: string;
      ref?: string;
      startLine?: number;
      endLine?: number;
    };
    output: {
      path: string;
      oid: string;
      ranges: readonly {
        startLine: number;
        endLine: number;
        oid: string;
        message?: string;
        author?: string | null;
        authorName?: string | null;
        committedAt?: string;
      }[];
    };
  };
  /** Create, change and delete files in one commit on a branch */
  "file.commit": {
    input: {
      owner: string;
      name: string;
      branch: string;
      message: string;
      files: readonly { path: string; content: string | null; encoding?: "utf-8" | "base64" }[];
      expectedHead?: string;
    };
    output: { oid: string; branch: string; message?: string; url: string };
  };
  /** List the files of a folder, or of all folders below it */
  "file.list": {
    input: { owner: string; name: string; path?: string; ref?: string; recursive?: boolean };
    output: {
      items: readonly {
        path: string;
        type: "FILE" | "DIR" | "SYMLINK" | "SUBMODULE";
        size: number | null;
      }[];
      truncated: boolean;
    };
  };
  /** Read a file, whole or some lines */
  "file.view": {
    input: {
      owner: string;
      name: string;
      path: string;
      ref?: string;
      startLine?: number;
      endLine?: number;
    };
    output: {
      path: string;
      oid: string;
      size: number;
      isBinary: boolean;
      truncated: boolean;
      lines: number | null;
      startLine: number | null;
      endLine: number | null;
      text: string | null;
    };
  };
  /** Create a gist */
  "gist.create": {
    input: { files: Record<string, string>; description?: string; public?: boolean };
    output: {
      id: string;
      name: string;
      isPublic?: boolean;
      files?: readonly string[];
      url: string;
    };
  };
  /** List your or a user's gists, newest first */
  "gist.list": {
    input: { login?: string; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        name: string;
        description?: string | null;
        isPublic: boolean;
        files: readonly string[];
        createdAt?: string;
        updatedAt?: string;
        url: string;
      }[];
    };
  };
  /** List, add or remove notes that complete the code graph */
  "graph.annotations": {
    input: {
      action: "list" | "addEdge" | "addEntrypoint" | "addIgnore" | "remove";
      from?: string;
      to?: string;
      path?: string;
      type?: "route" | "page" | "command" | "job" | "package" | "test";
      name?: string;
      kind?:
        | "HANDLER_UNREACHABLE"
        | "DYNAMIC_EDGE_UNKNOWN"
        | "BROKEN_EXPORT_CHAIN"
        | "CIRCULAR_REEXPORT"
        | "ORPHAN_EXPORT"
        | "ENTRY_MISSING_HANDLER"
        | "NOT_REGISTERED"
        | "CYCLE_RISK"
        | "CIRCULAR_DEPENDENCY"
        | "LAYER_VIOLATION"
        | "UNRESOLVED_IMPORT"
        | "UNUSED_DEPENDENCY"
        | "UNLISTED_DEPENDENCY";
      issueId?: string;
      reason?: string;
      id?: string;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** The callers and callees of a function */
  "graph.call_hierarchy": {
    input: {
      path?: string;
      line?: number;
      column?: number;
      symbol?: string;
      direction?: "incoming" | "outgoing" | "both";
      depth?: number;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Changes since a revision: the files they affect, the issues they add and fix */
  "graph.changes": {
    input: {
      since: string;
      depth?: number;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Import cycles and where to break them */
  "graph.cycles": {
    input: {
      minLength?: number;
      maxCycles?: number;
      severityFilter?: "info" | "warning" | "error";
      includeBreakPoints?: boolean;
      typeOnly?: "include" | "exclude" | "only";
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Where a symbol is defined, through barrels and aliases */
  "graph.definition": {
    input: {
      path?: string;
      line?: number;
      column?: number;
      symbol?: string;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Overview of the code base: size, entry points, hotspots, issues */
  "graph.digest": {
    input: {
      include?: readonly ("summary" | "entrypoints" | "hotspots" | "issues")[];
      hotspotLimit?: number;
      entrypointLimit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Dependents of a file, a symbol or a diff, and the risk of a change */
  "graph.impact": {
    input: {
      target?: string;
      depth?: number;
      include?: readonly (
        | "directDependents"
        | "transitiveImpact"
        | "affectedEntrypoints"
        | "riskAssessment"
        | "symbolRefs"
        | "affectedTests"
        | "keyPaths"
      )[];
      changedSince?: string;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Implementations and overrides of a type or member */
  "graph.implementations": {
    input: {
      path?: string;
      line?: number;
      column?: number;
      symbol?: string;
      direction?: "down" | "up";
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** One issue: evidence, impact, ways to fix it */
  "graph.issue_explain": {
    input: { issueId: string; maxTokens?: number; cursor?: string; scope?: string };
    output: Record<string, unknown>;
  };
  /** The edits that fix up to five issues */
  "graph.issue_fixplan": {
    input: { issueIds: readonly string[]; maxTokens?: number; cursor?: string; scope?: string };
    output: Record<string, unknown>;
  };
  /** Problems in the code, errors first */
  "graph.issues": {
    input: {
      kind?:
        | "HANDLER_UNREACHABLE"
        | "DYNAMIC_EDGE_UNKNOWN"
        | "BROKEN_EXPORT_CHAIN"
        | "CIRCULAR_REEXPORT"
        | "ORPHAN_EXPORT"
        | "ENTRY_MISSING_HANDLER"
        | "NOT_REGISTERED"
        | "CYCLE_RISK"
        | "CIRCULAR_DEPENDENCY"
        | "LAYER_VIOLATION"
        | "UNRESOLVED_IMPORT"
        | "UNUSED_DEPENDENCY"
        | "UNLISTED_DEPENDENCY";
      severity?: "info" | "warning" | "error";
      limit?: number;
      groupBy?: "none" | "kind" | "severity" | "file";
      changedSince?: string;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Dependency rules: check, list, suggest */
  "graph.layers": {
    input: {
      action: "check" | "list" | "suggest";
      rules?: {
        $schema?: string;
        forbidden?: readonly {
          name: string;
          comment?: string;
          severity?: "error" | "warning" | "info";
          scope?: "module" | "folder";
          from?: {
            path?: string | readonly string[];
            pathNot?: string | readonly string[];
            orphan?: boolean;
          };
          to?: {
            path?: string | readonly string[];
            pathNot?: string | readonly string[];
            dependencyTypes?: readonly (
              | "local"
              | "aliased"
              | "aliased-workspace"
              | "npm"
              | "npm-dev"
              | "npm-peer"
              | "npm-optional"
              | "npm-bundled"
              | "npm-no-pkg"
              | "npm-unknown"
              | "deprecated"
              | "core"
              | "unknown"
              | "import"
              | "export"
              | "require"
              | "exotic-require"
              | "dynamic-import"
              | "type-only"
              | "pre-compilation-only"
              | "annotation"
            )[];
            dependencyTypesNot?: readonly (
              | "local"
              | "aliased"
              | "aliased-workspace"
              | "npm"
              | "npm-dev"
              | "npm-peer"
              | "npm-optional"
              | "npm-bundled"
              | "npm-no-pkg"
              | "npm-unknown"
              | "deprecated"
              | "core"
              | "unknown"
              | "import"
              | "export"
              | "require"
              | "exotic-require"
              | "dynamic-import"
              | "type-only"
              | "pre-compilation-only"
              | "annotation"
            )[];
            circular?: boolean;
            via?:
              | string
              | readonly string[]
              | {
                  path?: string | readonly string[];
                  pathNot?: string | readonly string[];
                  dependencyTypes?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                  dependencyTypesNot?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                };
            viaOnly?:
              | string
              | readonly string[]
              | {
                  path?: string | readonly string[];
                  pathNot?: string | readonly string[];
                  dependencyTypes?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                  dependencyTypesNot?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                };
            viaNot?: string | readonly string[];
            viaSomeNot?: string | readonly string[];
            license?: string | readonly string[];
            licenseNot?: string | readonly string[];
            dynamic?: boolean;
            exoticallyRequired?: boolean;
            exoticRequire?: string | readonly string[];
            exoticRequireNot?: string | readonly string[];
            couldNotResolve?: boolean;
            preCompilationOnly?: boolean;
            moreThanOneDependencyType?: boolean;
            moreUnstable?: boolean;
            ancestor?: boolean;
            reachable?: boolean;
          };
          module?: {
            path?: string | readonly string[];
            pathNot?: string | readonly string[];
            numberOfDependentsLessThan?: number;
            numberOfDependentsMoreThan?: number;
          };
        }[];
        allowed?: readonly {
          comment?: string;
          from?: {
            path?: string | readonly string[];
            pathNot?: string | readonly string[];
            orphan?: boolean;
          };
          to?: {
            path?: string | readonly string[];
            pathNot?: string | readonly string[];
            dependencyTypes?: readonly (
              | "local"
              | "aliased"
              | "aliased-workspace"
              | "npm"
              | "npm-dev"
              | "npm-peer"
              | "npm-optional"
              | "npm-bundled"
              | "npm-no-pkg"
              | "npm-unknown"
              | "deprecated"
              | "core"
              | "unknown"
              | "import"
              | "export"
              | "require"
              | "exotic-require"
              | "dynamic-import"
              | "type-only"
              | "pre-compilation-only"
              | "annotation"
            )[];
            dependencyTypesNot?: readonly (
              | "local"
              | "aliased"
              | "aliased-workspace"
              | "npm"
              | "npm-dev"
              | "npm-peer"
              | "npm-optional"
              | "npm-bundled"
              | "npm-no-pkg"
              | "npm-unknown"
              | "deprecated"
              | "core"
              | "unknown"
              | "import"
              | "export"
              | "require"
              | "exotic-require"
              | "dynamic-import"
              | "type-only"
              | "pre-compilation-only"
              | "annotation"
            )[];
            circular?: boolean;
            via?:
              | string
              | readonly string[]
              | {
                  path?: string | readonly string[];
                  pathNot?: string | readonly string[];
                  dependencyTypes?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                  dependencyTypesNot?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                };
            viaOnly?:
              | string
              | readonly string[]
              | {
                  path?: string | readonly string[];
                  pathNot?: string | readonly string[];
                  dependencyTypes?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                  dependencyTypesNot?: readonly (
                    | "local"
                    | "aliased"
                    | "aliased-workspace"
                    | "npm"
                    | "npm-dev"
                    | "npm-peer"
                    | "npm-optional"
                    | "npm-bundled"
                    | "npm-no-pkg"
                    | "npm-unknown"
                    | "deprecated"
                    | "core"
                    | "unknown"
                    | "import"
                    | "export"
                    | "require"
                    | "exotic-require"
                    | "dynamic-import"
                    | "type-only"
                    | "pre-compilation-only"
                    | "annotation"
                  )[];
                };
            viaNot?: string | readonly string[];
            viaSomeNot?: string | readonly string[];
            license?: string | readonly string[];
            licenseNot?: string | readonly string[];
            dynamic?: boolean;
            exoticallyRequired?: boolean;
            exoticRequire?: string | readonly string[];
            exoticRequireNot?: string | readonly string[];
            couldNotResolve?: boolean;
            preCompilationOnly?: boolean;
            moreThanOneDependencyType?: boolean;
            moreUnstable?: boolean;
            ancestor?: boolean;
            reachable?: boolean;
          };
        }[];
        allowedSeverity?: "error" | "warning" | "info";
        required?: readonly {
          name: string;
          comment?: string;
          severity?: "error" | "warning" | "info";
          module: { path?: string | readonly string[]; pathNot?: string | readonly string[] };
          to: {
            path?: string | readonly string[];
            pathNot?: string | readonly string[];
            reachable?: boolean;
          };
        }[];
        exoticRequireStrings?: readonly string[];
      };
      groupByRule?: boolean;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** One file: imports, importers, exports and who uses them */
  "graph.module": {
    input: {
      target: string;
      include?: readonly (
        | "imports"
        | "importedBy"
        | "exports"
        | "reexports"
        | "entrypoints"
        | "symbols"
      )[];
      includeTransitive?: boolean;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** The shortest chain of imports from one file to another */
  "graph.path": {
    input: {
      from: string;
      to: string;
      maxDepth?: number;
      maxPaths?: number;
      includeEdgeDetails?: boolean;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Every place that uses a symbol */
  "graph.references": {
    input: {
      path?: string;
      line?: number;
      column?: number;
      symbol?: string;
      groupByFile?: boolean;
      includeDeclaration?: boolean;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** The edits that rename a symbol; nothing is written */
  "graph.rename": {
    input: {
      path?: string;
      line?: number;
      column?: number;
      symbol?: string;
      to: string;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Renames a symbol in all files, or refuses if a use may be missing */
  "graph.rename.apply": {
    input: {
      path?: string;
      line?: number;
      column?: number;
      symbol?: string;
      to: string;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Files, folders and symbols by parts of their names or by words of their text */
  "graph.search": {
    input: {
      query: string;
      type?: "file" | "symbol" | "directory" | "all";
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** A symbol's code with its comment, callers and callees */
  "graph.source": {
    input: {
      path?: string;
      line?: number;
      column?: number;
      symbol?: string;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** The symbols of a file, or of the tree by name */
  "graph.symbols": {
    input: {
      target: string;
      mode?: "document" | "workspace";
      kindFilter?: readonly (
        | "module"
        | "function"
        | "class"
        | "method"
        | "constructor"
        | "property"
        | "accessor"
        | "interface"
        | "type"
        | "enum"
        | "enumMember"
        | "variable"
        | "constant"
        | "namespace"
        | "struct"
      )[];
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** The tests that a change affects, as arguments of their runners */
  "graph.tests": {
    input: {
      target?: string;
      since?: string;
      limit?: number;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** The folders, with counts of everything below them */
  "graph.tree": {
    input: {
      path?: string;
      depth?: number;
      includeFiles?: boolean;
      pattern?: string;
      maxTokens?: number;
      cursor?: string;
      scope?: string;
    };
    output: Record<string, unknown>;
  };
  /** Assign Copilot or another bot to an issue or pull request */
  "issue.agents.assign": {
    input: { owner: string; name: string; issueNumber: number; agent?: string };
    output: { issueNumber: number; agent?: string; assignees: readonly string[]; number?: number };
  };
  /** Assign people to an issue or pull request */
  "issue.assignees.add": {
    input: { owner: string; name: string; issueNumber: number; assignees: readonly string[] };
    output: {
      issueNumber: number;
      added: readonly string[];
      assignees?: readonly string[];
      number?: number;
    };
  };
  /** Unassign people from an issue or pull request */
  "issue.assignees.remove": {
    input: { owner: string; name: string; issueNumber: number; assignees: readonly string[] };
    output: {
      issueNumber: number;
      removed: readonly string[];
      assignees?: readonly string[];
      number?: number;
    };
  };
  /** Replace the assignees of an issue */
  "issue.assignees.set": {
    input: { owner: string; name: string; issueNumber: number; assignees: readonly string[] };
    output: { id: string; assignees: readonly string[] };
  };
  /** Create a branch that is linked to an issue */
  "issue.branches.create": {
    input: { owner: string; name: string; issueNumber: number; branch?: string; from?: string };
    output: { id?: string; issueNumber?: number; branch: string; oid: string; number?: number };
  };
  /** List the branches that are linked to an issue */
  "issue.branches.list": {
    input: {
      owner: string;
      name: string;
      issueNumber: number;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        branch?: string | null;
        repository?: string | null;
        oid?: string | null;
      }[];
    };
  };
  /** Close an issue, with a comment if given */
  "issue.close": {
    input: {
      owner: string;
      name: string;
      issueNumber: number;
      reason?: "completed" | "not_planned";
      comment?: string;
    };
    output: {
      id: string;
      number: number;
      state: "OPEN" | "CLOSED";
      closed: boolean;
      closedAt?: string | null;
      stateReason?: string | null;
      commentUrl?: string;
    };
  };
  /** Comment on an issue or pull request */
  "issue.comments.create": {
    input: { owner: string; name: string; issueNumber: number; body: string };
    output: { id: string; body: string; createdAt?: string; url: string };
  };
  /** Delete a comment on an issue or pull request */
  "issue.comments.delete": {
    input: { commentId: string | number; owner?: string; name?: string };
    output: { commentId: string | number; deleted: boolean };
  };
  /** List comments, oldest first */
  "issue.comments.list": {
    input: {
      owner: string;
      name: string;
      issueNumber: number;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        body: string;
        authorLogin: string | null;
        url: string;
        createdAt: string;
        updatedAt?: string;
        author?: string | null;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Change a comment on an issue or pull request */
  "issue.comments.update": {
    input: { commentId: string | number; body: string; owner?: string; name?: string };
    output: { id: string; body: string; updatedAt?: string; url: string };
  };
  /** Open an issue, with labels, assignees, a milestone, a type and a parent */
  "issue.create": {
    input: {
      owner: string;
      name: string;
      title: string;
      body?: string;
      labels?: readonly string[];
      assignees?: readonly string[];
      milestone?: string | number;
      type?: string;
      parent?: number;
    };
    output: {
      id: string;
      number: number;
      title?: string;
      state?: "OPEN" | "CLOSED";
      labels?: readonly string[];
      assignees?: readonly string[];
      milestone?: string | null;
      url?: string;
    };
  };
  /** Delete an issue for good */
  "issue.delete": {
    input: { owner: string; name: string; issueNumber: number };
    output: { id?: string; number: number; deleted: boolean };
  };
  /** Add labels to an issue or pull request */
  "issue.labels.add": {
    input: { owner: string; name: string; issueNumber: number; labels: readonly string[] };
    output: { id: string; labels: readonly string[] };
  };
  /** Take labels off an issue or pull request */
  "issue.labels.remove": {
    input: { owner: string; name: string; issueNumber: number; labels: readonly string[] };
    output: {
      issueNumber: number;
      removed: readonly string[];
      labels?: readonly string[];
      number?: number;
    };
  };
  /** Replace all labels of an issue */
  "issue.labels.set": {
    input: { owner: string; name: string; issueNumber: number; labels: readonly string[] };
    output: { id: string; labels: readonly string[] };
  };
  /** List issues, newest first; filters by label, assignee, author, milestone, type and time */
  "issue.list": {
    input: {
      owner: string;
      name: string;
      state?: "open" | "closed" | "all";
      labels?: readonly string[];
      assignee?: string;
      author?: string;
      mentioned?: string;
      milestone?: string | number;
      type?: string;
      search?: string;
      since?: string;
      sort?: "created" | "updated" | "comments";
      direction?: "desc" | "asc";
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        number: number;
        title: string;
        state: "OPEN" | "CLOSED";
        author?: string | null;
        labels?: readonly string[];
        assignees?: readonly string[];
        milestone?: string | null;
        commentCount?: number;
        createdAt?: string;
        url: string;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Lock or unlock the conversation of an issue or pull request */
  "issue.lock": {
    input: {
      owner: string;
      name: string;
      issueNumber: number;
      locked?: boolean;
      reason?: "OFF_TOPIC" | "TOO_HEATED" | "RESOLVED" | "SPAM";
    };
    output: { issueNumber: number; locked: boolean; reason?: string; number?: number };
  };
  /** Take an issue out of its milestone */
  "issue.milestone.clear": {
    input: { owner: string; name: string; issueNumber: number };
    output: { issueNumber: number; cleared: boolean; number?: number };
  };
  /** Put an issue into a milestone, by its number or title */
  "issue.milestone.set": {
    input: { owner: string; name: string; issueNumber: number; milestoneNumber: number | string };
    output: {
      id: string;
      milestoneNumber: number | null;
      milestone?: string | null;
      updated: boolean;
    };
  };
  /** Pin an issue to the top of its repository, or unpin it */
  "issue.pin": {
    input: { owner: string; name: string; issueNumber: number; pinned?: boolean };
    output: { id?: string; number: number; pinned: boolean; url?: string };
  };
  /** Record that an issue is blocked by another */
  "issue.relations.blocked_by.add": {
    input: {
      issueId?: string;
      blockedByIssueId?: string;
      owner?: string;
      name?: string;
      issueNumber?: number;
      blockedByIssueNumber?: number;
    };
    output: { issueId: string; blockedByIssueId: string; added: boolean };
  };
  /** Record that an issue is no longer blocked by another */
  "issue.relations.blocked_by.remove": {
    input: {
      issueId?: string;
      blockedByIssueId?: string;
      owner?: string;
      name?: string;
      issueNumber?: number;
      blockedByIssueNumber?: number;
    };
    output: { issueId: string; blockedByIssueId: string; removed: boolean };
  };
  /** Change the order of sub-issues by moving one before or after another */
  "issue.relations.children.move": {
    input: {
      owner: string;
      name: string;
      issueNumber: number;
      childNumber: number;
      afterNumber?: number;
      beforeNumber?: number;
    };
    output: { issueNumber: number; childNumber: number; moved: boolean; number?: number };
  };
  /** Detach an issue from its parent */
  "issue.relations.parent.remove": {
    input: { issueId?: string; owner?: string; name?: string; issueNumber?: number };
    output: { issueId: string; parentRemoved: boolean };
  };
  /** Make an issue a sub-issue of another */
  "issue.relations.parent.set": {
    input: {
      issueId?: string;
      parentIssueId?: string;
      owner?: string;
      name?: string;
      issueNumber?: number;
      parentIssueNumber?: number;
    };
    output: { issueId: string; parentIssueId: string; updated: boolean };
  };
  /** List the pull requests that are connected to an issue */
  "issue.relations.prs.list": {
    input: {
      owner: string;
      name: string;
      issueNumber: number;
      manualOnly?: boolean;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        number: number;
        title: string;
        state: "OPEN" | "CLOSED" | "MERGED";
        labels?: readonly string[];
        assignees?: readonly string[];
        url: string;
      }[];
    };
  };
  /** Show the parent, sub-issues and blockers of an issue */
  "issue.relations.view": {
    input: { owner: string; name: string; issueNumber: number };
    output: {
      issue: { id: string; number: number };
      parent: {
        id: string;
        number: number;
        title?: string;
        state?: "OPEN" | "CLOSED";
        url?: string;
      } | null;
      children: readonly {
        id: string;
        number: number;
        title?: string;
        state?: "OPEN" | "CLOSED";
        url?: string;
      }[];
      blockedBy: readonly {
        id: string;
        number: number;
        title?: string;
        state?: "OPEN" | "CLOSED";
        url?: string;
      }[];
      blocking?: readonly {
        id: string;
        number: number;
        title?: string;
        state?: "OPEN" | "CLOSED";
        url?: string;
      }[];
    };
  };
  /** Reopen an issue */
  "issue.reopen": {
    input: { owner: string; name: string; issueNumber: number };
    output: { id: string; number: number; state: "OPEN" | "CLOSED"; reopened: boolean };
  };
  /** Move an issue to another repository of the same owner */
  "issue.transfer": {
    input: { owner: string; name: string; issueNumber: number; target: string };
    output: { id: string; number: number; repository?: string; url: string };
  };
  /** Change the title, body, state, labels, assignees, milestone or type of an issue */
  "issue.update": {
    input: {
      owner: string;
      name: string;
      issueNumber: number;
      title?: string;
      body?: string;
      state?: "open" | "closed";
      milestone?: string | number;
      type?: string;
      labels?: readonly string[];
      addLabels?: readonly string[];
      removeLabels?: readonly string[];
      assignees?: readonly string[];
      addAssignees?: readonly string[];
      removeAssignees?: readonly string[];
      stateReason?: "completed" | "not_planned";
    };
    output: {
      id: string;
      number: number;
      title?: string;
      state?: "OPEN" | "CLOSED";
      updatedAt?: string;
      url?: string;
      labels?: readonly string[];
      assignees?: readonly string[];
      milestone?: string | null;
    };
  };
  /** Show an issue */
  "issue.view": {
    input: { owner: string; name: string; issueNumber: number };
    output: {
      id: string;
      number: number;
      title: string;
      state: "OPEN" | "CLOSED";
      stateReason?: string | null;
      author?: string | null;
      body: string;
      labels: readonly string[];
      assignees?: readonly string[];
      milestone?: string | null;
      type?: string | null;
      locked?: boolean;
      commentCount?: number;
      createdAt?: string;
      updatedAt?: string;
      closedAt?: string | null;
      url: string;
    };
  };
  /** Add a label to a repository */
  "label.create": {
    input: { owner: string; name: string; label: string; color?: string; description?: string };
    output: { id: string; name: string; color: string; description?: string | null };
  };
  /** Delete a label and take it off every issue */
  "label.delete": {
    input: { owner: string; name: string; label: string };
    output: { label: string; deleted: boolean };
  };
  /** Rename, recolour or describe a label */
  "label.update": {
    input: {
      owner: string;
      name: string;
      label: string;
      newName?: string;
      color?: string;
      description?: string;
    };
    output: { id: string; name: string; color: string; description?: string | null };
  };
  /** Add a milestone to a repository */
  "milestone.create": {
    input: { owner: string; name: string; title: string; description?: string; dueOn?: string };
    output: {
      id: string;
      number: number;
      title: string;
      state?: "OPEN" | "CLOSED";
      dueOn?: string | null;
      url: string;
    };
  };
  /** List milestones, next due first */
  "milestone.list": {
    input: {
      owner: string;
      name: string;
      state?: "open" | "closed" | "all";
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id?: string;
        number: number;
        title: string;
        state: "OPEN" | "CLOSED";
        description?: string | null;
        dueOn?: string | null;
        createdAt?: string;
        url: string;
      }[];
    };
  };
  /** List your notifications */
  "notification.list": {
    input: {
      repository?: string;
      all?: boolean;
      participating?: boolean;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        reason: string;
        unread: boolean;
        repository: string;
        type?: string;
        number?: number | null;
        title: string;
        updatedAt?: string;
      }[];
    };
  };
  /** Assign people to a pull request */
  "pr.assignees.add": {
    input: { owner: string; name: string; prNumber: number; assignees: readonly string[] };
    output: {
      prNumber: number;
      added: readonly string[];
      assignees: readonly string[];
      number?: number;
    };
  };
  /** Take assignees off a pull request */
  "pr.assignees.remove": {
    input: { owner: string; name: string; prNumber: number; assignees: readonly string[] };
    output: {
      prNumber: number;
      removed: readonly string[];
      assignees: readonly string[];
      number?: number;
    };
  };
  /** Delete the branch of a merged or closed pull request */
  "pr.branch.delete": {
    input: { owner: string; name: string; prNumber: number };
    output: { prNumber: number; deleted: boolean; number?: number };
  };
  /** Merge the base branch into the branch of a pull request */
  "pr.branch.update": {
    input: { owner: string; name: string; prNumber: number };
    output: { prNumber: number; updated: boolean; number?: number };
  };
  /** List checks of the last commit, with counts */
  "pr.checks.list": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      state?: "failed" | "pending" | "passed";
    };
    output: {
      items: readonly {
        name: string;
        state: string;
        bucket: "failed" | "pending" | "passed";
        workflow: string | null;
        runId: number | null;
        link: string | null;
        annotations: readonly {
          path: string;
          line: number;
          level: string | null;
          message: string;
        }[];
        url?: string | null;
      }[];
      summary: { total: number; failed: number; pending: number; passed: number };
      truncated: boolean;
    };
  };
  /** Rerun a whole workflow run of a pull request */
  "pr.checks.rerun.all": {
    input: { owner: string; name: string; runId: number; prNumber?: number };
    output: { runId: number; queued: boolean };
  };
  /** Rerun failed jobs of a pull request's run */
  "pr.checks.rerun.failed": {
    input: { owner: string; name: string; runId: number; prNumber?: number };
    output: { runId: number; queued: boolean };
  };
  /** Close a pull request without merging it */
  "pr.close": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      comment?: string;
      deleteBranch?: boolean;
    };
    output: {
      prNumber: number;
      state: "OPEN" | "CLOSED" | "MERGED";
      closed: boolean;
      deleteBranch: boolean;
      commentUrl: string | null;
      number?: number;
    };
  };
  /** Comment on a pull request */
  "pr.comments.create": {
    input: { owner: string; name: string; prNumber: number; body: string };
    output: { id: string; body: string; url: string };
  };
  /** List conversation comments */
  "pr.comments.list": {
    input: { owner: string; name: string; prNumber: number; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        body: string;
        authorLogin: string | null;
        createdAt: string;
        updatedAt: string;
        url: string;
        author?: string | null;
      }[];
    };
  };
  /** List reactions to comments and reviews */
  "pr.comments.reactions.list": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      reactorLogin?: string;
      content?:
        | "THUMBS_UP"
        | "THUMBS_DOWN"
        | "LAUGH"
        | "HOORAY"
        | "CONFUSED"
        | "HEART"
        | "ROCKET"
        | "EYES";
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        subjectType: string;
        subjectId: string;
        subjectUrl: string;
        authorLogin: string | null;
        groups: readonly {
          content: string;
          reactorCount: number;
          reactorLogins: readonly string[];
          viewerHasReacted: boolean;
          reactorsTruncated: boolean;
        }[];
        author?: string | null;
      }[];
      filterApplied: boolean;
      scan: { scanned: number; total: number; truncated: boolean };
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** List the commits of a pull request */
  "pr.commits.list": {
    input: { owner: string; name: string; prNumber: number; first?: number; after?: string | null };
    output: {
      items: readonly {
        oid: string;
        message: string;
        author: string | null;
        authorName: string | null;
        committedAt: string;
        url: string;
      }[];
    };
  };
  /** Open a pull request, with reviewers, labels, assignees and a milestone */
  "pr.create": {
    input: {
      owner: string;
      name: string;
      title: string;
      head: string;
      base: string;
      body?: string;
      draft?: boolean;
      maintainerCanModify?: boolean;
      labels?: readonly string[];
      assignees?: readonly string[];
      reviewers?: readonly string[];
      milestone?: string | number;
    };
    output: {
      id?: string;
      number: number;
      title: string;
      state: "OPEN" | "CLOSED" | "MERGED";
      draft: boolean;
      headRefName?: string;
      headRefOid?: string;
      baseRefName?: string;
      url: string;
      labels?: readonly string[];
      assignees?: readonly string[];
      reviewers?: readonly string[];
      milestone?: string | null;
      isDraft?: boolean;
    };
  };
  /** List the files that a pull request changes */
  "pr.diff.files": {
    input: { owner: string; name: string; prNumber: number; first?: number; after?: string | null };
    output: {
      items: readonly { path: string; status: string; additions: number; deletions: number }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Show the whole diff of a pull request as text */
  "pr.diff.view": {
    input: { owner: string; name: string; prNumber: number };
    output: { diff: string };
  };
  /** Show the diff of a pull request by file and hunk */
  "pr.files.diff": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      path?: string;
      fromHunk?: number;
      maxLines?: number;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        path: string;
        previousPath: string | null;
        status: string;
        additions: number;
        deletions: number;
        hunks: number | null;
        patch: string | null;
        nextHunk: number | null;
      }[];
    };
  };
  /** List pull requests, newest first, by branch, author, label or review */
  "pr.list": {
    input: {
      owner: string;
      name: string;
      state?: "open" | "closed" | "merged" | "all";
      base?: string;
      head?: string;
      author?: string;
      assignee?: string;
      labels?: readonly string[];
      draft?: boolean;
      search?: string;
      review?: "none" | "required" | "approved" | "changes_requested";
      sort?: "created" | "updated" | "comments";
      direction?: "desc" | "asc";
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        number: number;
        title: string;
        state: "OPEN" | "CLOSED" | "MERGED";
        isDraft: boolean;
        author: string | null;
        headRefName: string;
        baseRefName: string;
        labels?: readonly string[];
        assignees?: readonly string[];
        createdAt: string;
        updatedAt: string;
        mergedAt?: string | null;
        checks?: "SUCCESS" | "FAILURE" | "PENDING" | "ERROR" | "EXPECTED" | null;
        reviewDecision?: string | null;
        unresolvedThreads?: number;
        url: string;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Merge, now or once requirements are met */
  "pr.merge": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      method?: "merge" | "squash" | "rebase";
      deleteBranch?: boolean;
      admin?: boolean;
      auto?: boolean;
      commitTitle?: string;
      commitMessage?: string;
    };
    output: {
      prNumber: number;
      method: "merge" | "squash" | "rebase";
      isMethodAssumed: boolean;
      queued: boolean;
      merged: boolean;
      mergeCommitOid: string | null;
      deleteBranch: boolean;
      admin?: boolean;
      auto?: boolean;
      number?: number;
    };
  };
  /** Tell whether a pull request can be merged */
  "pr.merge.status": {
    input: { owner: string; name: string; prNumber: number };
    output: {
      mergeable: string;
      mergeStateStatus: string;
      reviewDecision: string | null;
      isDraft: boolean;
      state: "OPEN" | "CLOSED" | "MERGED";
      headRefOid: string;
    };
  };
  /** Set the milestone of a pull request */
  "pr.milestone.set": {
    input: { owner: string; name: string; prNumber: number; milestone: string | number };
    output: { number: number; milestone: string | null; milestoneNumber?: number | null };
  };
  /** List reactions to the description */
  "pr.reactions.list": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      reactorLogin?: string;
      content?:
        | "THUMBS_UP"
        | "THUMBS_DOWN"
        | "LAUGH"
        | "HOORAY"
        | "CONFUSED"
        | "HEART"
        | "ROCKET"
        | "EYES";
    };
    output: {
      subject: { type: string; id: string; url: string };
      items: readonly {
        content: string;
        reactorCount: number;
        reactorLogins: readonly string[];
        viewerHasReacted: boolean;
        reactorsTruncated: boolean;
      }[];
      filterApplied: boolean;
    };
  };
  /** Mark a draft pull request as ready for review */
  "pr.ready": {
    input: { owner: string; name: string; prNumber: number };
    output: { prNumber: number; isDraft: boolean; number?: number };
  };
  /** Reopen a closed pull request */
  "pr.reopen": {
    input: { owner: string; name: string; prNumber: number };
    output: {
      prNumber: number;
      state: "OPEN" | "CLOSED" | "MERGED";
      reopened: boolean;
      number?: number;
    };
  };
  /** List the reviews of a pull request */
  "pr.reviews.list": {
    input: { owner: string; name: string; prNumber: number; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        authorLogin: string | null;
        body: string;
        state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING";
        submittedAt: string | null;
        commitOid: string | null;
        url: string;
        author?: string | null;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Add a comment on a line to your pending review, which is started if there is none */
  "pr.reviews.pending.comment": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      path: string;
      body: string;
      line?: number;
      side?: "LEFT" | "RIGHT";
      startLine?: number;
      startSide?: "LEFT" | "RIGHT";
    };
    output: {
      threadId: string;
      commentId: string;
      reviewId?: string;
      path?: string;
      line?: number | null;
      state?: string;
      url?: string;
    };
  };
  /** Delete your pending review of a pull request with its comments */
  "pr.reviews.pending.delete": {
    input: { owner: string; name: string; prNumber: number };
    output: { id?: string; number: number; deleted: boolean };
  };
  /** Submit your pending review of a pull request */
  "pr.reviews.pending.submit": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      event: "APPROVE" | "COMMENT" | "REQUEST_CHANGES";
      body?: string;
    };
    output: { id: string; state: string; body?: string | null; url: string };
  };
  /** Ask people to review a pull request */
  "pr.reviews.request": {
    input: { owner: string; name: string; prNumber: number; reviewers: readonly string[] };
    output: { prNumber: number; reviewers: readonly string[]; updated: boolean; number?: number };
  };
  /** Approve, comment on or request changes to a pull request: add a review */
  "pr.reviews.submit": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      event: "APPROVE" | "COMMENT" | "REQUEST_CHANGES";
      body?: string;
      comments?: readonly {
        path: string;
        body: string;
        line: number;
        side?: "LEFT" | "RIGHT";
        startLine?: number;
        startSide?: "LEFT" | "RIGHT";
      }[];
    };
    output: { id: string; state: string; url: string; body: string | null };
  };
  /** Tell what a pull request still needs */
  "pr.status": {
    input: { owner: string; name: string; prNumber: number };
    output: {
      number: number;
      title: string;
      state: "OPEN" | "CLOSED" | "MERGED";
      isDraft: boolean;
      headRefOid: string;
      mergeable: string;
      mergeStateStatus: string;
      reviewDecision: string | null;
      autoMerge: boolean;
      checks: { total: number; failed: number; pending: number; passed: number };
      failing: readonly {
        name: string;
        runId: number | null;
        link: string | null;
        url?: string | null;
      }[];
      reviews: readonly { authorLogin: string | null; state: string; author?: string | null }[];
      reviewRequests: readonly string[];
      openThreads: readonly {
        id: string;
        path: string;
        line: number | null;
        isOutdated: boolean;
        authorLogin: string | null;
        body: string;
        author?: string | null;
      }[];
      truncated: boolean;
      url: string;
    };
  };
  /** List review threads with their comments */
  "pr.threads.list": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      unresolvedOnly?: boolean;
      includeOutdated?: boolean;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        path: string;
        line: number | null;
        startLine: number | null;
        diffSide: string;
        subjectType: string;
        isResolved: boolean;
        isOutdated: boolean;
        viewerCanReply: boolean;
        viewerCanResolve: boolean;
        viewerCanUnresolve: boolean;
        resolvedByLogin: string | null;
        commentsTruncated: boolean;
        comments: readonly {
          id: string;
          authorLogin: string | null;
          body: string;
          createdAt: string;
          url: string;
          author?: string | null;
        }[];
      }[];
      filterApplied: boolean;
      scan: { scanned: number; total: number };
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Reply in a review thread */
  "pr.threads.reply": {
    input: {
      threadId?: string;
      owner?: string;
      name?: string;
      prNumber?: number;
      commentId?: number;
      body: string;
    };
    output: { id: string; isResolved: boolean; commentId: string; commentUrl: string };
  };
  /** Resolve a review thread */
  "pr.threads.resolve": {
    input: {
      threadId?: string;
      owner?: string;
      name?: string;
      prNumber?: number;
      commentId?: number;
    };
    output: { id: string; isResolved: boolean };
  };
  /** Reopen a resolved review thread */
  "pr.threads.unresolve": {
    input: {
      threadId?: string;
      owner?: string;
      name?: string;
      prNumber?: number;
      commentId?: number;
    };
    output: { id: string; isResolved: boolean };
  };
  /** Change title, body, state, base, labels, assignees, reviewers or milestone of a pull request */
  "pr.update": {
    input: {
      owner: string;
      name: string;
      prNumber: number;
      title?: string;
      body?: string;
      base?: string;
      state?: "open" | "closed";
      draft?: boolean;
      addLabels?: readonly string[];
      removeLabels?: readonly string[];
      addAssignees?: readonly string[];
      removeAssignees?: readonly string[];
      reviewers?: readonly string[];
      milestone?: string | number;
    };
    output: {
      id: string;
      number: number;
      title: string;
      state: "OPEN" | "CLOSED" | "MERGED";
      draft: boolean;
      baseRefName?: string;
      url: string;
      labels?: readonly string[];
      assignees?: readonly string[];
      reviewers?: readonly string[];
      milestone?: string | null;
      isDraft?: boolean;
    };
  };
  /** Show a pull request */
  "pr.view": {
    input: { owner: string; name: string; prNumber: number; exclude?: readonly "body"[] };
    output: {
      id: string;
      number: number;
      title: string;
      state: "OPEN" | "CLOSED" | "MERGED";
      isDraft: boolean;
      author: string | null;
      body: string | null;
      labels: readonly string[];
      assignees: readonly string[];
      reviewRequests: readonly string[];
      milestone: string | null;
      headRefName: string;
      headRefOid: string;
      headRepository: string | null;
      baseRefName: string;
      baseRefOid: string;
      mergeable: string;
      additions: number;
      deletions: number;
      changedFiles: number;
      createdAt: string;
      updatedAt: string;
      closedAt: string | null;
      mergedAt: string | null;
      mergedBy: string | null;
      mergeCommitOid: string | null;
      url: string;
    };
  };
  /** Create a project of a user or an organization */
  "project_v2.create": {
    input: { owner: string; title: string };
    output: { id: string; number: number; title: string; createdAt?: string; url: string };
  };
  /** List fields of a project with their options */
  "project_v2.fields.list": {
    input: { owner: string; projectNumber: number; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        databaseId: number | null;
        name: string;
        dataType: string;
        options: readonly { id: string; name: string }[] | null;
        iterations:
          | readonly { id: string; title: string; startDate: string; duration: number }[]
          | null;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Set or clear a field of a project item */
  "project_v2.items.field.update": {
    input: {
      projectId?: string;
      owner?: string;
      projectNumber?: number;
      itemId: string | number;
      fieldId: string | number;
      valueText?: string;
      valueNumber?: number;
      valueDate?: string;
      valueSingleSelectOptionId?: string;
      valueIterationId?: string;
      clear?: boolean;
    };
    output: { itemId: string | number };
  };
  /** Add an issue or pull request to a project */
  "project_v2.items.issue.add": {
    input: { owner: string; projectNumber: number; issueUrl: string };
    output: { itemId: string; itemType: string };
  };
  /** Remove an item from a project */
  "project_v2.items.issue.remove": {
    input: { owner: string; projectNumber: number; itemId: string | number };
    output: { deletedItemId: string | number };
  };
  /** List items of a project */
  "project_v2.items.list": {
    input: { owner: string; projectNumber: number; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        databaseId: number | null;
        contentType: string;
        contentNumber: number | null;
        contentTitle: string | null;
        contentUrl: string | null;
        labels?: readonly string[];
        assignees?: readonly string[];
        isArchived: boolean;
        values?: readonly { field: string; value: unknown }[];
        valueCount?: number;
        number?: number | null;
        title?: string | null;
        url?: string | null;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** List projects of an owner */
  "project_v2.list": {
    input: { owner: string; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        number: number;
        title: string;
        shortDescription: string | null;
        public: boolean;
        closed: boolean;
        updatedAt: string;
        url: string;
        isPublic?: boolean;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Show a project of an organisation */
  "project_v2.org.view": {
    input: { org: string; projectNumber: number };
    output: {
      id: string;
      number: number;
      title: string;
      shortDescription: string | null;
      public: boolean;
      closed: boolean;
      creator: string | null;
      createdAt: string;
      updatedAt: string;
      url: string;
      isPublic?: boolean;
    };
  };
  /** Post a status update to a project */
  "project_v2.status.create": {
    input: {
      owner: string;
      projectNumber: number;
      status?: "ON_TRACK" | "AT_RISK" | "OFF_TRACK" | "COMPLETE" | "INACTIVE";
      body?: string;
      startDate?: string;
      targetDate?: string;
    };
    output: {
      id: string;
      status?: string | null;
      body?: string | null;
      startDate?: string | null;
      targetDate?: string | null;
      createdAt?: string;
    };
  };
  /** List the status updates of a project, newest first */
  "project_v2.status.list": {
    input: { owner: string; projectNumber: number; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string;
        status?: string | null;
        body?: string | null;
        author?: string | null;
        startDate?: string | null;
        targetDate?: string | null;
        createdAt?: string;
      }[];
    };
  };
  /** Show a project of a user */
  "project_v2.user.view": {
    input: { user: string; projectNumber: number };
    output: {
      id: string;
      number: number;
      title: string;
      shortDescription: string | null;
      public: boolean;
      closed: boolean;
      creator: string | null;
      createdAt: string;
      updatedAt: string;
      url: string;
      isPublic?: boolean;
    };
  };
  /** Show a project */
  "project_v2.view": {
    input: { owner: string; projectNumber: number };
    output: {
      id: string;
      number: number;
      title: string;
      shortDescription: string | null;
      public: boolean;
      closed: boolean;
      creator: string | null;
      createdAt: string;
      updatedAt: string;
      url: string;
      isPublic?: boolean;
    };
  };
  /** Download a file of a release */
  "release.assets.download": {
    input: { owner: string; name: string; tagName?: string; releaseId?: number; assetName: string };
    output: {
      handle?: string;
      base64?: string;
      size: number;
      content_type: string;
      filename?: string;
    };
  };
  /** List files of a release by tag; of a draft by its id */
  "release.assets.list": {
    input: {
      owner: string;
      name: string;
      tagName?: string;
      releaseId?: number;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        name: string;
        contentType: string;
        size: number;
        downloadCount: number;
        createdAt: string;
        url: string;
      }[];
    };
  };
  /** Upload a file to a release */
  "release.assets.upload": {
    input: {
      owner: string;
      name: string;
      tagName?: string;
      releaseId?: number;
      file:
        | {
            base64?: string;
            text?: string;
            handle?: string;
            filename?: string;
            content_type?: string;
          }
        | string;
      assetName?: string;
      label?: string;
    };
    output: { id: number; name: string; size: number; url: string };
  };
  /** Create a draft release, or publish it at once with draft false */
  "release.create": {
    input: {
      owner: string;
      name: string;
      tagName: string;
      title?: string;
      notes?: string;
      targetCommitish?: string;
      prerelease?: boolean;
      draft?: boolean;
      generateNotes?: boolean;
    };
    output: {
      id: number;
      tagName: string;
      name: string | null;
      isDraft: boolean;
      isPrerelease: boolean;
      targetCommitish: string;
      createdAt: string;
      publishedAt: string | null;
      url: string;
      tag?: string;
    };
  };
  /** Delete a release by its id or tag; the tag stays unless cleanupTag is true */
  "release.delete": {
    input: {
      owner: string;
      name: string;
      releaseId?: number;
      tagName?: string;
      cleanupTag?: boolean;
    };
    output: { releaseId: number; deleted: boolean };
  };
  /** Show the id of a release by its tag */
  "release.id.view": {
    input: { owner: string; name: string; tagName: string };
    output: { releaseId: number; tagName: string; isDraft: boolean; tag?: string };
  };
  /** List releases, newest first */
  "release.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: number;
        tagName: string;
        name: string | null;
        isDraft: boolean;
        isPrerelease: boolean;
        targetCommitish: string;
        createdAt: string;
        publishedAt: string | null;
        author?: string | null;
        assets?: readonly { name?: string; size?: number; downloadCount?: number }[];
        url: string;
        tag?: string;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Publish a draft release by its id or tag */
  "release.publish": {
    input: {
      owner: string;
      name: string;
      releaseId?: number;
      tagName?: string;
      title?: string;
      notes?: string;
      prerelease?: boolean;
    };
    output: {
      id: number;
      tagName: string;
      name: string | null;
      isDraft: boolean;
      isPrerelease: boolean;
      targetCommitish: string;
      wasDraft?: boolean;
      createdAt: string;
      publishedAt: string | null;
      url: string;
      tag?: string;
    };
  };
  /** Edit a release by its id or tag; a draft stays a draft */
  "release.update": {
    input: {
      owner: string;
      name: string;
      releaseId?: number;
      tagName?: string;
      title?: string;
      notes?: string;
      targetCommitish?: string;
      prerelease?: boolean;
      draft?: true;
    };
    output: {
      id: number;
      tagName: string;
      name: string | null;
      isDraft: boolean;
      isPrerelease: boolean;
      targetCommitish: string;
      createdAt: string;
      publishedAt: string | null;
      url: string;
      tag?: string;
    };
  };
  /** Show a release by tag, or the latest; a draft by its id */
  "release.view": {
    input: { owner: string; name: string; tagName?: string; releaseId?: number };
    output: {
      id: number;
      tagName: string;
      name: string | null;
      isDraft: boolean;
      isPrerelease: boolean;
      targetCommitish: string;
      author: string | null;
      notes: string | null;
      assets: readonly {
        id: string;
        name: string;
        size: number;
        downloadCount: number;
        url: string;
        assetId?: number;
      }[];
      createdAt: string;
      publishedAt: string | null;
      url: string;
      tag?: string;
    };
  };
  /** Create a repository */
  "repo.create": {
    input: {
      name: string;
      owner?: string;
      visibility?: "private" | "public";
      description?: string;
      readme?: boolean;
    };
    output: {
      id: string;
      name: string;
      nameWithOwner: string;
      isPrivate: boolean;
      createdAt?: string;
      url: string;
    };
  };
  /** Fork a repository */
  "repo.fork": {
    input: {
      owner: string;
      name: string;
      organization?: string;
      forkName?: string;
      defaultBranchOnly?: boolean;
    };
    output: {
      id: string;
      name: string;
      nameWithOwner: string;
      parent: string;
      isPrivate?: boolean;
      url: string;
    };
  };
  /** List the issue types of a repository */
  "repo.issue_types.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string | null;
        name: string | null;
        description?: string | null;
        color?: string | null;
        isEnabled?: boolean | null;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** List the labels of a repository */
  "repo.labels.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: {
      items: readonly {
        id: string | null;
        name: string | null;
        description: string | null;
        color: string | null;
        isDefault: boolean | null;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** List your or an owner's repositories */
  "repo.list": {
    input: {
      owner?: string;
      visibility?: "public" | "private";
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: string;
        nameWithOwner: string;
        name?: string;
        description?: string | null;
        isPrivate: boolean;
        isFork?: boolean;
        isArchived?: boolean;
        stargazerCount?: number;
        language?: string | null;
        createdAt?: string;
        pushedAt?: string | null;
        url: string;
      }[];
    };
  };
  /** Edit repository settings, rename or archive a repository */
  "repo.update": {
    input: {
      owner: string;
      name: string;
      description?: string;
      homepage?: string;
      newName?: string;
      visibility?: "public" | "private";
      defaultBranch?: string;
      archived?: boolean;
      hasIssues?: boolean;
      hasWiki?: boolean;
      hasProjects?: boolean;
      deleteBranchOnMerge?: boolean;
    };
    output: {
      id: string;
      name?: string;
      nameWithOwner: string;
      description?: string | null;
      visibility?: string;
      defaultBranch?: string;
      archived?: boolean;
      url: string;
    };
  };
  /** Show a repository */
  "repo.view": {
    input: { owner: string; name: string };
    output: {
      id: string;
      name: string;
      nameWithOwner: string;
      description?: string | null;
      isPrivate: boolean;
      isFork?: boolean;
      isArchived?: boolean;
      stargazerCount?: number;
      forkCount?: number;
      defaultBranch: string | null;
      createdAt?: string;
      pushedAt?: string | null;
      url: string;
    };
  };
  /** Search code on default branches */
  "search.code": {
    input: { query: string; first?: number; after?: string | null };
    output: {
      totalCount: number;
      incomplete: boolean;
      items: readonly {
        repository: string;
        path: string;
        sha?: string;
        fragments?: readonly string[];
        url: string;
        oid?: string;
      }[];
    };
  };
  /** Search issues */
  "search.issues": {
    input: {
      query: string;
      sort?: "created" | "updated" | "comments";
      order?: "desc" | "asc";
      first?: number;
      after?: string | null;
    };
    output: {
      totalCount: number;
      items: readonly {
        repository: string;
        number: number;
        title: string;
        state: "OPEN" | "CLOSED";
        author?: string | null;
        labels?: readonly string[];
        assignees?: readonly string[];
        createdAt?: string;
        updatedAt?: string;
        url: string;
      }[];
    };
  };
  /** Search pull requests */
  "search.prs": {
    input: {
      query: string;
      sort?: "created" | "updated" | "comments";
      order?: "desc" | "asc";
      first?: number;
      after?: string | null;
    };
    output: {
      totalCount: number;
      items: readonly {
        repository: string;
        number: number;
        title: string;
        state: "OPEN" | "CLOSED" | "MERGED";
        isDraft?: boolean;
        author?: string | null;
        labels?: readonly string[];
        assignees?: readonly string[];
        createdAt?: string;
        updatedAt?: string;
        url: string;
      }[];
    };
  };
  /** Search repositories */
  "search.repos": {
    input: {
      query: string;
      sort?: "stars" | "forks" | "updated";
      order?: "desc" | "asc";
      first?: number;
      after?: string | null;
    };
    output: {
      totalCount: number;
      items: readonly {
        nameWithOwner: string;
        description?: string | null;
        isPrivate?: boolean;
        isFork?: boolean;
        isArchived?: boolean;
        stargazerCount?: number;
        language?: string | null;
        updatedAt?: string;
        url: string;
      }[];
    };
  };
  /** Delete an Actions secret of a repository */
  "secret.delete": {
    input: { owner: string; name: string; secret: string };
    output: { name: string; deleted: boolean };
  };
  /** Show the public key that Actions secrets of a repository are encrypted with */
  "secret.key.view": {
    input: { owner: string; name: string };
    output: { keyId: string; key: string };
  };
  /** List the Actions secrets of a repository, without their values */
  "secret.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: {
      totalCount?: number;
      items: readonly { name: string; createdAt?: string; updatedAt?: string }[];
    };
  };
  /** Store an Actions secret that is encrypted already */
  "secret.put": {
    input: { owner: string; name: string; secret: string; encryptedValue: string; keyId: string };
    output: { name: string; stored: boolean };
  };
  /** Create or update an Actions secret of a repository */
  "secret.set": {
    input: { owner: string; name: string; secret: string; value: string };
    output: { name: string; created?: boolean };
  };
  /** Delete a tag */
  "tag.delete": {
    input: { owner: string; name: string; tag: string };
    output: { tag: string; deleted: boolean };
  };
  /** List tags by name, from Z to A */
  "tag.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: { items: readonly { name: string; oid: string }[] };
  };
  /** Show whose token is in use */
  "user.me": {
    input: Record<string, unknown>;
    output: {
      id: string;
      login: string;
      name?: string | null;
      email?: string | null;
      bio?: string | null;
      company?: string | null;
      location?: string | null;
      createdAt?: string;
      url: string;
    };
  };
  /** Show a user or an organisation */
  "user.view": {
    input: { login: string };
    output: {
      id: string;
      login: string;
      type: string;
      name?: string | null;
      location?: string | null;
      createdAt?: string;
      url: string;
    };
  };
  /** Create an Actions variable of a repository */
  "variable.create": {
    input: { owner: string; name: string; variable: string; value: string };
    output: { name: string; value: string };
  };
  /** Delete an Actions variable of a repository */
  "variable.delete": {
    input: { owner: string; name: string; variable: string };
    output: { name: string; deleted: boolean };
  };
  /** List the Actions variables of a repository */
  "variable.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: {
      totalCount?: number;
      items: readonly { name: string; value?: string; createdAt?: string; updatedAt?: string }[];
    };
  };
  /** Create or update an Actions variable of a repository */
  "variable.set": {
    input: { owner: string; name: string; variable: string; value: string };
    output: { name: string; created?: boolean };
  };
  /** Change an Actions variable of a repository */
  "variable.update": {
    input: { owner: string; name: string; variable: string; value: string };
    output: { name: string; value: string };
  };
  /** Start a workflow that has a workflow_dispatch trigger */
  "workflow.dispatch": {
    input: {
      owner: string;
      name: string;
      workflowId: number | string;
      ref?: string;
      inputs?: Record<string, unknown>;
    };
    output: {
      workflowId: number | string;
      ref: string;
      dispatched: boolean;
      runId: number | null;
      url: string | null;
    };
  };
  /** Show the last lines of a job's log as they are */
  "workflow.job.logs.raw": {
    input: { owner: string; name: string; jobId: number; lines?: number; skip?: number };
    output: { jobId: number; log: string; totalLines: number; truncated: boolean };
  };
  /** Show why a job failed: the failing step's log, its end */
  "workflow.job.logs.view": {
    input: { owner: string; name: string; jobId: number; lines?: number };
    output: {
      jobId: number;
      jobName: string;
      conclusion: string | null;
      failedStep: string | null;
      summary: { errorCount: number; warningCount: number; topErrorLines: readonly string[] };
      tail: string;
      truncated: boolean;
    };
  };
  /** List workflows of a repository */
  "workflow.list": {
    input: { owner: string; name: string; first?: number; after?: string | null };
    output: {
      items: readonly { id: number; name: string; path: string; state: string }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** List artifacts of a workflow run */
  "workflow.run.artifacts.list": {
    input: {
      owner: string;
      name: string;
      runId: number;
      artifactName?: string;
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: number;
        name: string;
        sizeInBytes: number;
        archiveDownloadUrl: string;
        expired?: boolean;
        createdAt?: string | null;
        expiresAt?: string | null;
        digest?: string | null;
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Cancel a workflow run */
  "workflow.run.cancel": {
    input: { owner: string; name: string; runId: number };
    output: { runId: number; status: "cancel_requested" };
  };
  /** Rerun all jobs of a workflow run */
  "workflow.run.rerun.all": {
    input: { owner: string; name: string; runId: number };
    output: { runId: number; queued: boolean };
  };
  /** Rerun the failed jobs of a workflow run */
  "workflow.run.rerun.failed": {
    input: { owner: string; name: string; runId: number };
    output: { runId: number; queued: boolean };
  };
  /** Show a workflow run with its jobs, and the failed steps and error lines */
  "workflow.run.view": {
    input: { owner: string; name: string; runId: number };
    output: {
      id: number;
      workflowName: string | null;
      title: string;
      status: string | null;
      conclusion: string | null;
      headBranch: string | null;
      headSha: string;
      event: string;
      actor: string | null;
      createdAt: string;
      updatedAt: string;
      startedAt: string;
      attempt: number;
      url: string;
      jobCount: number;
      jobs: readonly {
        id: number;
        name: string;
        status: string;
        conclusion: string | null;
        failedSteps: readonly string[];
        errors?: readonly { path?: string | null; line?: number | null; message: string }[] | null;
        startedAt: string;
        completedAt: string | null;
        url: string | null;
        steps?: readonly {
          number: number;
          name: string;
          status: string;
          conclusion: string | null;
        }[];
      }[];
    };
  };
  /** Wait until a workflow run is completed, and show it */
  "workflow.run.wait": {
    input: { owner: string; name: string; runId: number; timeoutSeconds?: number };
    output: {
      id: number;
      workflowName: string | null;
      title: string;
      status: string | null;
      conclusion: string | null;
      headBranch: string | null;
      headSha: string;
      event: string;
      actor: string | null;
      createdAt: string;
      updatedAt: string;
      startedAt: string;
      attempt: number;
      url: string;
      jobCount: number;
      jobs: readonly {
        id: number;
        name: string;
        status: string;
        conclusion: string | null;
        failedSteps: readonly string[];
        errors?: readonly { path?: string | null; line?: number | null; message: string }[] | null;
        startedAt: string;
        completedAt: string | null;
        url: string | null;
        steps?: readonly {
          number: number;
          name: string;
          status: string;
          conclusion: string | null;
        }[];
      }[];
    };
  };
  /** List workflow runs, newest first */
  "workflow.runs.list": {
    input: {
      owner: string;
      name: string;
      workflowId?: number | string;
      branch?: string;
      event?: string;
      status?:
        | "completed"
        | "action_required"
        | "cancelled"
        | "failure"
        | "neutral"
        | "skipped"
        | "stale"
        | "success"
        | "timed_out"
        | "in_progress"
        | "queued"
        | "requested"
        | "waiting"
        | "pending";
      first?: number;
      after?: string | null;
    };
    output: {
      items: readonly {
        id: number;
        workflowName: string | null;
        title: string;
        status: string | null;
        conclusion: string | null;
        headBranch: string | null;
        event: string;
        createdAt: string;
        url: string;
        headSha?: string;
        actor?: string | null;
        failures?: readonly {
          jobId: number;
          job: string;
          steps: readonly string[];
          errors: readonly { path?: string | null; line?: number | null; message: string }[] | null;
        }[];
      }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
  /** Show a workflow by id or name */
  "workflow.view": {
    input: { owner: string; name: string; workflowId: number | string };
    output: { id: number; name: string; path: string; state: string; url: string };
  };
}
