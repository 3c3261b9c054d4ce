import type { Reactable, Reaction, ReactionContent, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";

export interface AddedReaction {
  readonly reaction: Reaction;
  readonly isNew: boolean;
}

/** Adds a reaction. If the user has reacted in the same way before, returns that reaction. */
export function addReaction(
  store: Store,
  user: User,
  subject: Reactable,
  content: ReactionContent,
): AddedReaction {
  const old = getReaction(user, subject, content);
  const reaction = old ?? store.create<Reaction>("Reaction", { user, content, subject });
  if (old === undefined) subject.reactions.push(reaction);
  store.count("addReaction");
  return { reaction, isNew: old === undefined };
}

export function getReaction(
  user: User,
  { reactions }: Reactable,
  content: ReactionContent,
): Reaction | undefined {
  return reactions.find((one) => one.user === user && one.content === content);
}

export function removeReaction(store: Store, reaction: Reaction): void {
  drop(reaction.subject.reactions, reaction);
  store.forget(reaction);
  store.count("removeReaction");
}
