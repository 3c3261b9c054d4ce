/**
 * Additions to GitHub's public schema since the pinned version: sub-issues, dependencies, issue
 * types and the pull requests that close an issue. Later versions of the package are not valid SDL,
 * so these are added here, with the names of GitHub's reference.
 */
export const ADDITIONS = /* GraphQL */ `
  enum IssueTypeColor {
    BLUE
    GRAY
    GREEN
    ORANGE
    PINK
    PURPLE
    RED
    YELLOW
  }

  type IssueType implements Node {
    color: IssueTypeColor!
    description: String
    id: ID!
    isEnabled: Boolean!
    name: String!
  }

  type IssueTypeEdge {
    cursor: String!
    node: IssueType
  }

  type IssueTypeConnection {
    edges: [IssueTypeEdge]
    nodes: [IssueType]
    pageInfo: PageInfo!
    totalCount: Int!
  }

  type SubIssuesSummary {
    completed: Int!
    percentCompleted: Int!
    total: Int!
  }

  type IssueDependenciesSummary {
    blockedBy: Int!
    blocking: Int!
    totalBlockedBy: Int!
    totalBlocking: Int!
  }

  extend type Organization {
    issueTypes(after: String, before: String, first: Int, last: Int): IssueTypeConnection
  }

  enum RepositorySuggestedActorFilter {
    CAN_BE_ASSIGNED
    CAN_BE_AUTHOR
  }

  type ActorEdge {
    cursor: String!
    node: Actor
  }

  type ActorConnection {
    edges: [ActorEdge]
    nodes: [Actor]
    pageInfo: PageInfo!
    totalCount: Int!
  }

  extend type Repository {
    suggestedActors(
      after: String
      before: String
      capabilities: [RepositorySuggestedActorFilter!]!
      first: Int
      last: Int
      loginNames: String
      query: String
    ): ActorConnection!
    issueType(name: String!): IssueType
    issueTypes(after: String, before: String, first: Int, last: Int): IssueTypeConnection
  }

  type AssigneeEdge {
    cursor: String!
    node: Assignee
  }

  type AssigneeConnection {
    edges: [AssigneeEdge]
    nodes: [Assignee]
    pageInfo: PageInfo!
    totalCount: Int!
  }

  extend type PullRequest {
    assignedActors(after: String, before: String, first: Int, last: Int): AssigneeConnection!
  }

  extend type Issue {
    assignedActors(after: String, before: String, first: Int, last: Int): AssigneeConnection!
    blockedBy(after: String, before: String, first: Int, last: Int): IssueConnection!
    blocking(after: String, before: String, first: Int, last: Int): IssueConnection!
    closedByPullRequestsReferences(
      after: String
      before: String
      first: Int
      includeClosedPrs: Boolean = false
      last: Int
      orderByState: Boolean = false
      userLinkedOnly: Boolean = false
    ): PullRequestConnection
    issueDependenciesSummary: IssueDependenciesSummary!
    issueType: IssueType
    parent: Issue
    subIssues(after: String, before: String, first: Int, last: Int): IssueConnection!
    subIssuesSummary: SubIssuesSummary!
  }

  extend input CreateIssueInput {
    issueTypeId: ID
    parentIssueId: ID
  }

  extend input UpdateIssueInput {
    issueTypeId: ID
  }

  input AddSubIssueInput {
    clientMutationId: String
    issueId: ID!
    replaceParent: Boolean
    subIssueId: ID
    subIssueUrl: String
  }

  type AddSubIssuePayload {
    clientMutationId: String
    issue: Issue
    subIssue: Issue
  }

  input RemoveSubIssueInput {
    clientMutationId: String
    issueId: ID!
    subIssueId: ID!
  }

  type RemoveSubIssuePayload {
    clientMutationId: String
    issue: Issue
    subIssue: Issue
  }

  input ReprioritizeSubIssueInput {
    afterId: ID
    beforeId: ID
    clientMutationId: String
    issueId: ID!
    subIssueId: ID!
  }

  type ReprioritizeSubIssuePayload {
    clientMutationId: String
    issue: Issue
  }

  input AddBlockedByInput {
    blockingIssueId: ID!
    clientMutationId: String
    issueId: ID!
  }

  type AddBlockedByPayload {
    blockingIssue: Issue
    clientMutationId: String
    issue: Issue
  }

  input RemoveBlockedByInput {
    blockingIssueId: ID!
    clientMutationId: String
    issueId: ID!
  }

  type RemoveBlockedByPayload {
    blockingIssue: Issue
    clientMutationId: String
    issue: Issue
  }

  input UpdateIssueIssueTypeInput {
    clientMutationId: String
    issueId: ID!
    issueTypeId: ID
  }

  type UpdateIssueIssueTypePayload {
    clientMutationId: String
    issue: Issue
  }

  extend type Mutation {
    addBlockedBy(input: AddBlockedByInput!): AddBlockedByPayload
    addSubIssue(input: AddSubIssueInput!): AddSubIssuePayload
    removeBlockedBy(input: RemoveBlockedByInput!): RemoveBlockedByPayload
    removeSubIssue(input: RemoveSubIssueInput!): RemoveSubIssuePayload
    reprioritizeSubIssue(input: ReprioritizeSubIssueInput!): ReprioritizeSubIssuePayload
    updateIssueIssueType(input: UpdateIssueIssueTypeInput!): UpdateIssueIssueTypePayload
  }
`;
