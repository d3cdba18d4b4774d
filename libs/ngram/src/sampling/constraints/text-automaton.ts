/**
 * The Knuth-Morris-Pratt algorithm as an automaton. Its state is the length of the longest prefix of `text`
 * with which the input ends.
 * @param text symbol numbers; if empty, there is one state, which accepts
 * @param stays true for `contains`: after the first match, every state accepts; false for `ends_with`: the
 * automaton accepts only directly after a match
 */
export class TextAutomaton {
  readonly stateCount: number;
  private readonly classOf: Map<number, number>;
  private readonly table: Uint16Array;

  constructor(
    readonly text: readonly number[],
    readonly stays: boolean,
  ) {
    this.stateCount = text.length + 1;
    this.classOf = new Map([...new Set(text)].map((symbol, i) => [symbol, i + 1]));
    this.table = this.build();
  }

  get accepting(): number {
    return this.text.length;
  }

  next(state: number, symbol: number): number {
    const kind = this.classOf.get(symbol) ?? 0;
    return this.table[state * (this.classOf.size + 1) + kind] as number;
  }

  private build(): Uint16Array {
    const { text, accepting } = this;
    const kinds = this.classOf.size + 1;
    const table = new Uint16Array(this.stateCount * kinds);
    let fallback = 0; // the state after text[1..state), the longest remaining match after a mismatch
    for (let state = 0; state <= accepting; state += 1) {
      const symbol = text[state];
      for (const [candidate, kind] of this.classOf) {
        const onward = candidate === symbol ? state + 1 : state === 0 ? 0 : table[fallback * kinds + kind];
        table[state * kinds + kind] = onward as number;
      }
      if (state > 0 && symbol !== undefined) {
        fallback = table[fallback * kinds + (this.classOf.get(symbol) as number)] as number;
      }
      if (state === accepting && this.stays) table.fill(state, state * kinds, (state + 1) * kinds);
    }
    return table;
  }
}
