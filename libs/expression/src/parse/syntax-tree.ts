/** A node of the syntax tree. `at` is its position in the source. */
export type Node =
  | {
      readonly kind: 'literal';
      readonly value: string | number | bigint | boolean | null;
      /** A message if the value is not the one that the source shows. */
      readonly mistake?: string | undefined;
      readonly at: number;
    }
  | { readonly kind: 'name'; readonly name: string; readonly quoted: boolean; readonly at: number }
  | { readonly kind: 'member'; readonly object: Node; readonly key: Node; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[]; readonly at: number }
  | { readonly kind: 'array'; readonly items: readonly Node[]; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly operand: Node; readonly at: number }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Node;
      readonly right: Node;
      readonly at: number;
    }
  | {
      readonly kind: 'choice';
      readonly test: Node;
      readonly yes: Node;
      readonly no: Node;
      readonly at: number;
    };

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&&'
  | '||';
