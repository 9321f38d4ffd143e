/** What has runs. A new kind gets a member here, and the compiler names the registries that need an entry for it. */
export type OwnerKind = 'project' | 'chat' | 'run';

/** What a run belongs to; a run of a user's own agent belongs to itself. */
export interface RunOwner<Kind extends OwnerKind = OwnerKind> {
  kind: Kind;
  id: string;
}

/**
 * The id of an owner, for what only one kind of owner has.
 * @throws {Error} if it is of another kind.
 */
export function expectOwner({ kind, id }: RunOwner, expected: OwnerKind): string {
  if (kind === expected) return id;
  throw new Error(`Expected a run of a ${expected}, got a run of the ${kind} ${id}.`);
}
