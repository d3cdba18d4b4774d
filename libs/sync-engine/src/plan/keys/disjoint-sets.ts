/** Which of some ids belong together, as pairs of them are united. */
export class DisjointSets {
  private readonly parents = new Map<string, string>();

  unite(a: string, b: string): void {
    this.parents.set(this.find(a), this.find(b));
  }

  /** The ids, those that belong together in one set. */
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
