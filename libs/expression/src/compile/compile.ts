import type { RandomStream } from '@understudy/random';
import { ExpressionError } from '../errors.js';
import type { ExpressionFunction, PureFunction } from '../functions/expression-function.js';
import { FUNCTIONS } from '../functions/function-table.js';
import { LIMITS, beginWork } from '../limits.js';
import { nameHint, shownName, unquotedNameHint } from '../parse/name-hints.js';
import { negate } from '../values/arithmetic.js';
import { numeric } from '../values/operand.js';
import { member, OPERATORS, truthy } from '../values/operators.js';
import type { Node } from '../parse/syntax-tree.js';
import { withinArrayLimits } from '../values/value-size.js';

/** Maps each name that an expression may use to the index of its value in `slots`. */
export type Names = ReadonlyMap<string, number>;

/**
 * Provides the random stream for each call of a random function. The stream depends on the site of the call,
 * and on the cell (row and attempt) for which the expression is evaluated.
 */
export interface Draws {
  /** @param site index into the expression's `sites` */
  stream(site: number): RandomStream;
}

/** A compiled part of an expression. It reads slots and streams, and returns a value. */
export type Closure = (slots: readonly unknown[], draws: Draws) => unknown;

/** The state of one compilation. All expressions of a template share it. */
export class Compilation {
  readonly references = new Set<string>();
  /** The source positions of the calls of random functions. The site of a call is its index in this array. */
  readonly sites: number[] = [];
  /** Literals that give a result which the author cannot have meant. */
  readonly mistakes: ExpressionError[] = [];

  private nodes = 0;

  constructor(
    private readonly source: string,
    private readonly names: Names,
  ) {}

  /** Compiles a node to a closure. Wrap the closure of a whole expression with `evaluation`. */
  compile(node: Node): Closure {
    this.nodes += 1;
    if (this.nodes > LIMITS.templateNodes) {
      throw new ExpressionError(`a template may have at most ${LIMITS.templateNodes} parts`, node.at, true);
    }
    switch (node.kind) {
      case 'literal': {
        const { value, mistake, at } = node;
        if (mistake !== undefined) this.mistakes.push(new ExpressionError(mistake, at));
        return () => value;
      }
      case 'name':
        return this.name(node);
      case 'call':
        return this.call(node.name, node.args, node.at);
      case 'array': {
        const items = node.items.map((item) => this.compile(item));
        return (slots, draws) => withinArrayLimits(items.map((item) => item(slots, draws)));
      }
      case 'member': {
        const object = this.compile(node.object);
        const key = this.compile(node.key);
        return (slots, draws) => member(object(slots, draws), key(slots, draws));
      }
      case 'unary': {
        const operand = this.compile(node.operand);
        return node.operator === '!'
          ? (slots, draws) => !truthy(operand(slots, draws))
          : (slots, draws) => negate(numeric(operand(slots, draws), '-'));
      }
      case 'binary':
        return this.binary(node);
      case 'choice':
        return this.choice([node.test, node.yes, node.no]);
    }
  }

  private name({ name, quoted, at }: Extract<Node, { kind: 'name' }>): Closure {
    const slot = this.names.get(name);
    if (slot !== undefined) {
      this.references.add(name);
      return (slots) => slots[slot];
    }
    const called = FUNCTIONS.get(name);
    if (called?.min === 0 && !quoted) return this.call(name, [], at);
    const hint =
      called === undefined
        ? nameHint(name, [...this.names.keys(), ...BARE_FUNCTIONS])
        : `; it is a function and ${quoted ? 'must not be in back-quotes' : 'needs arguments'}`;
    throw this.unknown('name', name, hint, at);
  }

  private unknown(kind: 'name' | 'function', name: string, hint: string, at: number): ExpressionError {
    const unquoted = unquotedNameHint(this.source, at, this.names.keys());
    return new ExpressionError(`unknown ${kind} ${shownName(name)}${unquoted === '' ? hint : unquoted}`, at);
  }

  private call(name: string, args: readonly Node[], at: number): Closure {
    const called = FUNCTIONS.get(name);
    if (called === undefined) throw this.unknown('function', name, nameHint(name, FUNCTIONS.keys()), at);
    checkArity(name, called, args.length, at);
    if (called.kind === 'if') return this.choice(args);
    if (called.kind === 'coalesce') return this.coalesce(args);
    const closures = args.map((arg) => this.compile(arg));
    if (called.kind === 'pure') {
      for (const [i, read] of called.dataReaders ?? []) {
        const [arg, value] = [args[i], closures[i]];
        if (arg !== undefined && value !== undefined && constantOf(arg) === undefined)
          closures[i] = (slots, draws) => read(value(slots, draws), name);
      }
      const mistake = called.mistakeIn?.(args.map(constantOf));
      if (mistake !== undefined) this.mistakes.push(new ExpressionError(mistake, at));
      return applyPure(called, closures);
    }
    const site = this.sites.push(at) - 1;
    return (slots, draws) => {
      // The arguments are evaluated first, because they may draw too. All sites share one stream object,
      // which `stream` moves to the start of this site's stream.
      const values = closures.map((closure) => closure(slots, draws));
      return called.call(draws.stream(site), values);
    };
  }

  private choice(parts: readonly Node[]): Closure {
    const [test, yes, no] = parts.map((part) => this.compile(part));
    return (slots, draws) =>
      (truthy(test?.(slots, draws)) ? yes?.(slots, draws) : no?.(slots, draws)) ?? null;
  }

  private coalesce(args: readonly Node[]): Closure {
    const closures = args.map((arg) => this.compile(arg));
    return (slots, draws) => {
      for (const closure of closures) {
        const value = closure(slots, draws);
        if (value !== null && value !== undefined) return value;
      }
      return null;
    };
  }

  private binary(node: Extract<Node, { kind: 'binary' }>): Closure {
    const left = this.compile(node.left);
    const right = this.compile(node.right);
    if (node.operator === '&&' || node.operator === '||') {
      const stopAt = node.operator === '||';
      return (slots, draws) => {
        const value = left(slots, draws);
        return truthy(value) === stopAt ? value : right(slots, draws);
      };
    }
    const operate = OPERATORS[node.operator];
    return (slots, draws) => operate(left(slots, draws), right(slots, draws));
  }
}

/** Wraps the closure of an expression, so that each evaluation starts with a new work budget. */
export function evaluation(closure: Closure): Closure {
  return (slots, draws) => {
    beginWork();
    return closure(slots, draws);
  };
}

const BARE_FUNCTIONS = [...FUNCTIONS].filter(([, entry]) => entry.min === 0).map(([name]) => name);

function applyPure({ call }: PureFunction, closures: readonly Closure[]): Closure {
  const [a, b, c] = closures;
  if (closures.length === 1 && a) return (slots, draws) => call(a(slots, draws));
  if (closures.length === 2 && a && b) return (slots, draws) => call(a(slots, draws), b(slots, draws));
  if (closures.length === 3 && a && b && c) {
    return (slots, draws) => call(a(slots, draws), b(slots, draws), c(slots, draws));
  }
  return (slots, draws) => call(...closures.map((closure) => closure(slots, draws)));
}

/** Returns the value of a literal or of a negative number, otherwise undefined. */
function constantOf(node: Node): unknown {
  if (node.kind === 'literal') return node.value;
  if (node.kind !== 'unary' || node.operator !== '-') return undefined;
  const value = constantOf(node.operand);
  return typeof value === 'number' || typeof value === 'bigint' ? -value : undefined;
}

function checkArity(name: string, { min, max }: ExpressionFunction, count: number, at: number): void {
  if (count >= min && count <= max) return;
  const takes = min === max ? String(min) : `${min} to ${max}`;
  throw new ExpressionError(`"${name}" takes ${takes} argument${takes === '1' ? '' : 's'}, got ${count}`, at);
}
