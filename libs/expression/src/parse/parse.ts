import { ExpressionError } from '../errors.js';
import { LIMITS } from '../limits.js';
import { CONSTANTS } from './plain-name.js';
import type { BinaryOperator, Node } from './syntax-tree.js';
import type { Token } from './tokenize.js';

interface Infix {
  readonly power: number;
  readonly operator: BinaryOperator;
}

const INFIX: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  ['||', { power: 2, operator: '||' }],
  ['&&', { power: 3, operator: '&&' }],
  ['==', { power: 4, operator: '==' }],
  ['===', { power: 4, operator: '==' }],
  ['!=', { power: 4, operator: '!=' }],
  ['!==', { power: 4, operator: '!=' }],
  ['<', { power: 5, operator: '<' }],
  ['<=', { power: 5, operator: '<=' }],
  ['>', { power: 5, operator: '>' }],
  ['>=', { power: 5, operator: '>=' }],
  ['+', { power: 6, operator: '+' }],
  ['-', { power: 6, operator: '-' }],
  ['*', { power: 7, operator: '*' }],
  ['/', { power: 7, operator: '/' }],
  ['%', { power: 7, operator: '%' }],
]);
const CHOICE_POWER = 1;
const UNARY_POWER = 8;

/**
 * Parses tokens as one expression with a Pratt parser: the loop in `expression` reads the operators that bind
 * more strongly than its argument `power`.
 * @throws ExpressionError
 */
export function parse(tokens: readonly Token[]): Node {
  return new Parser(tokens).whole();
}

class Parser {
  private next = 0;
  private nodes = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Node {
    const node = this.expression(0);
    const token = this.peek();
    if (token.kind !== 'end') throw new ExpressionError('expected an operator or the end here', token.at);
    return node;
  }

  private expression(power: number): Node {
    this.depth += 1;
    if (this.depth > LIMITS.depth) {
      throw new ExpressionError(
        `an expression may be nested at most ${LIMITS.depth} levels deep`,
        this.peek().at,
        true,
      );
    }
    let left = this.postfix(this.prefix());
    for (;;) {
      const token = this.peek();
      if (token.kind !== 'symbol') break;
      if (token.value === '?' && power < CHOICE_POWER) {
        left = this.choice(left, token.at);
        continue;
      }
      const infix = INFIX.get(token.value);
      if (infix === undefined || infix.power <= power) break;
      this.next += 1;
      const right = this.expression(infix.power);
      left = this.count({ kind: 'binary', operator: infix.operator, left, right, at: token.at });
    }
    this.depth -= 1;
    return left;
  }

  private choice(test: Node, at: number): Node {
    this.next += 1;
    const yes = this.expression(0);
    this.expect(':');
    const no = this.expression(0);
    return this.count({ kind: 'choice', test, yes, no, at });
  }

  private prefix(): Node {
    const token = this.take();
    switch (token.kind) {
      case 'number':
      case 'string': {
        const { value, mistake, at } = token;
        return this.count({ kind: 'literal', value, mistake, at });
      }
      case 'name':
        return this.nameOrCall(token);
      case 'end':
        throw new ExpressionError('expected a value here', token.at);
      case 'symbol':
        break;
    }
    if (token.value === '(') {
      const inner = this.expression(0);
      this.expect(')');
      return inner;
    }
    if (token.value === '[') {
      return this.count({ kind: 'array', items: this.list(']'), at: token.at });
    }
    if (token.value === '-' || token.value === '!') {
      const operand = this.expression(UNARY_POWER);
      return this.count({ kind: 'unary', operator: token.value, operand, at: token.at });
    }
    throw new ExpressionError(`expected a value before "${token.value}"`, token.at);
  }

  private nameOrCall({ value: name, quoted, at }: Extract<Token, { kind: 'name' }>): Node {
    const constant = quoted ? undefined : CONSTANTS.get(name);
    if (constant !== undefined) return this.count({ kind: 'literal', value: constant, at });
    if (quoted || !this.skip('(')) return this.count({ kind: 'name', name, quoted, at });
    return this.count({ kind: 'call', name, args: this.list(')'), at });
  }

  /** Parses `.name` and `[key]` after a value. */
  private postfix(start: Node): Node {
    let object = start;
    for (;;) {
      const { at } = this.peek();
      if (this.skip('.')) {
        const token = this.take();
        if (token.kind !== 'name') throw new ExpressionError('expected a name after "."', token.at);
        const key = this.count({ kind: 'literal', value: token.value, at: token.at });
        object = this.count({ kind: 'member', object, key, at });
      } else if (this.skip('[')) {
        const key = this.expression(0);
        this.expect(']');
        object = this.count({ kind: 'member', object, key, at });
      } else {
        return object;
      }
    }
  }

  private list(close: string): Node[] {
    const items: Node[] = [];
    if (this.skip(close)) return items;
    do {
      items.push(this.expression(0));
    } while (this.skip(','));
    this.expect(close);
    return items;
  }

  private count(node: Node): Node {
    this.nodes += 1;
    if (this.nodes > LIMITS.nodes) {
      throw new ExpressionError(`an expression may have at most ${LIMITS.nodes} parts`, node.at, true);
    }
    return node;
  }

  private peek(): Token {
    return this.tokens[this.next] ?? { kind: 'end', value: '', at: 0 };
  }

  private take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.next += 1;
    return token;
  }

  private skip(symbol: string): boolean {
    const token = this.peek();
    if (token.kind !== 'symbol' || token.value !== symbol) return false;
    this.next += 1;
    return true;
  }

  private expect(symbol: string): void {
    if (!this.skip(symbol)) throw new ExpressionError(`expected "${symbol}" here`, this.peek().at);
  }
}
