/** A partition of ids into disjoint sets, built by uniting pairs (union-find). */
export class DisjointSets {
  private readonly parents = new Map<string, string>();

  unite(a: string, b: string): void {
    this.parents.set(this.find(a), this.find(b));
  }

  /** Returns the sets that the ids belong to. */
  sets(ids: Iterable<string>): ReadonlySet<string>[] {
    const byRoot = new Map<string, Set<string>>();
    for (const id of ids) {
      const root = this.find(id);
      byRoot.set(root, (byRoot.get(root) ?? new Set()).add(id));
    }
    return [...byRoot.values()];
  }

  private find(id: string): string {
    let at = id;
    for (let up = this.parents.get(at); up !== undefined && up !== at; up = this.parents.get(at)) at = up;
    this.parents.set(id, at);
    return at;
  }
}
