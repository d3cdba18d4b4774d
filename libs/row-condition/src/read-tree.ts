import type { A_Const, A_Expr, BoolExpr, ColumnRef, Node, NullTest, TypeCast } from 'libpg-query';

import { MAX_DEPTH } from './check-tokens.js';
import {
  ConditionError,
  type ColumnOperand,
  COMPARISON_OPERATORS,
  type ComparisonOperator,
  LITERAL_TYPES,
  type LiteralOperand,
  type LiteralType,
  type Operand,
  type RowCondition,
} from './row-condition.js';
import { isLiteralOf } from './literal-text.js';

export const MAX_NODES = 1_000;

/**
 * Converts PostgreSQL's parse tree to a condition.
 * @throws ConditionError for every kind of node, field and operator that this file does not allow explicitly
 */
export function readTree(tree: Node): RowCondition {
  return new TreeReader().condition(tree, 1);
}

class TreeReader {
  private nodes = 0;

  condition(node: Node, depth: number): RowCondition {
    if (depth > MAX_DEPTH) throw new ConditionError({}, `nests deeper than ${MAX_DEPTH} levels`);
    this.count();
    if ('BoolExpr' in node) return this.combination(node.BoolExpr, depth);
    if ('A_Expr' in node) return this.comparison(node.A_Expr);
    if ('NullTest' in node) return this.nullTest(node.NullTest);
    if ('ColumnRef' in node) {
      throw new ConditionError(
        { node: node.ColumnRef.location },
        'expected a comparison: write "column = true"',
      );
    }
    throw new ConditionError({ node: locationOf(node) }, 'expected a comparison');
  }

  private combination({ boolop, args = [], location }: BoolExpr, depth: number): RowCondition {
    const terms = args.map((term) => this.condition(term, depth + 1));
    if (boolop === 'AND_EXPR') return { kind: 'and', terms };
    if (boolop === 'OR_EXPR') return { kind: 'or', terms };
    const [term] = terms;
    if (boolop !== 'NOT_EXPR' || term === undefined)
      throw new ConditionError({ node: location }, 'expected a comparison');
    return { kind: 'not', term };
  }

  private comparison(expression: A_Expr): RowCondition {
    const { kind, lexpr, rexpr, location } = expression;
    const operator = nameOf(expression.name);
    if (lexpr === undefined || rexpr === undefined)
      throw new ConditionError({ node: location }, 'expected a comparison');
    switch (kind) {
      case 'AEXPR_OP': {
        if (!isComparison(operator)) break;
        const left = this.operand(lexpr);
        const right = this.operand(rexpr);
        needsColumn(location, left, right);
        return { kind: 'compare', operator, left, right };
      }
      case 'AEXPR_IN': {
        const values = listOf(rexpr).map((value) => this.literal(value));
        return { kind: 'in', isNegated: operator === '<>', column: this.column(lexpr), values };
      }
      case 'AEXPR_BETWEEN':
      case 'AEXPR_NOT_BETWEEN': {
        const [low, high, ...rest] = listOf(rexpr).map((bound) => this.operand(bound));
        if (low === undefined || high === undefined || rest.length > 0) break;
        const operand = this.operand(lexpr);
        needsColumn(location, operand, low, high);
        return { kind: 'between', isNegated: kind === 'AEXPR_NOT_BETWEEN', operand, low, high };
      }
      case 'AEXPR_LIKE':
      case 'AEXPR_ILIKE':
        return {
          kind: 'like',
          isNegated: operator.startsWith('!'),
          ignoresCase: kind === 'AEXPR_ILIKE',
          column: this.column(lexpr),
          pattern: this.pattern(rexpr),
        };
    }
    throw new ConditionError({ node: location }, 'this operator is not allowed');
  }

  private nullTest({ arg, nulltesttype, argisrow, location }: NullTest): RowCondition {
    if (arg === undefined || argisrow === true)
      throw new ConditionError({ node: location }, 'expected a column');
    return { kind: 'is-null', isNegated: nulltesttype === 'IS_NOT_NULL', column: this.column(arg) };
  }

  private operand(node: Node): Operand {
    return 'ColumnRef' in node ? this.column(node) : this.literal(node);
  }

  private column(node: Node): ColumnOperand {
    this.count();
    if (!('ColumnRef' in node)) throw new ConditionError({ node: locationOf(node) }, 'expected a column');
    const { fields = [], location }: ColumnRef = node.ColumnRef;
    const [field, ...rest] = fields;
    if (field === undefined || !('String' in field) || rest.length > 0) {
      throw new ConditionError({ node: location }, 'expected the name of a column, without its table');
    }
    return { kind: 'column', name: field.String.sval ?? '' };
  }

  private literal(node: Node): LiteralOperand {
    this.count();
    if ('TypeCast' in node) return this.cast(node.TypeCast);
    if ('A_Const' in node) return constant(node.A_Const);
    const what = 'FuncCall' in node ? 'functions are not allowed' : 'expected a column or a literal';
    throw new ConditionError({ node: locationOf(node) }, what);
  }

  private cast({ arg, typeName, location }: TypeCast): LiteralOperand {
    if (arg === undefined || !('A_Const' in arg))
      throw new ConditionError({ node: locationOf(arg) }, 'only a literal can be cast');
    const literal = constant(arg.A_Const);
    const { names = [], typmods, arrayBounds, setof, pct_type: isReference } = typeName ?? {};
    const parts = names.map((name) => ('String' in name ? (name.String.sval ?? '') : ''));
    const type = LITERAL_TYPES.find((known) => known === parts.at(-1));
    const at = typeName?.location ?? location;
    const isPlain = typmods === undefined && arrayBounds === undefined && !setof && !isReference;
    const isBuiltin = parts.length === 1 || (parts.length === 2 && parts[0] === 'pg_catalog');
    if (type === undefined || !isPlain || !isBuiltin) {
      throw new ConditionError(
        { node: at },
        'expected a cast to boolean, smallint, integer, bigint, numeric, real, double precision, text, varchar, date, time, timetz, timestamp, timestamptz or uuid, without length or precision',
      );
    }
    const text = type === 'bool' ? booleanText(literal.text) : literal.text;
    if (!isLiteralOf(type, text)) throw new ConditionError({ node: arg.A_Const.location }, notA(type));
    return { ...literal, text, castTo: type };
  }

  private pattern(node: Node): string {
    const { form, text, castTo } = this.literal(node);
    if (form !== 'text' || castTo !== undefined)
      throw new ConditionError({ node: locationOf(node) }, 'expected a plain text as the pattern');
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) {
      throw new ConditionError({ node: locationOf(node) }, 'a pattern must not end with a single backslash');
    }
    return text;
  }

  private count(): void {
    if (++this.nodes > MAX_NODES) throw new ConditionError({}, `has more than ${MAX_NODES} parts`);
  }
}

function constant({ ival, fval, sval, boolval, isnull, location }: A_Const): LiteralOperand {
  if (isnull)
    throw new ConditionError(
      { node: location },
      'a comparison with NULL is never true: write IS NULL or IS NOT NULL',
    );
  if (sval) return { kind: 'literal', form: 'text', text: sval.sval ?? '' };
  if (boolval) return { kind: 'literal', form: 'boolean', text: String(boolval.boolval ?? false) };
  // The parser omits `ival` for the integer 0.
  const text = ival ? String(ival.ival ?? 0) : fval?.fval;
  if (text === undefined || !isLiteralOf('numeric', text)) {
    throw new ConditionError({ node: location }, 'expected a text, a decimal number, true or false');
  }
  return { kind: 'literal', form: 'number', text };
}

/**
 * Converts a spelling that PostgreSQL accepts for a boolean (docs, "Boolean Type") to `true` or `false`.
 * Returns an empty text for any other text.
 */
function booleanText(text: string): string {
  if (/^(?:t|true|yes|on|1)$/i.test(text)) return 'true';
  return /^(?:f|false|no|off|0)$/i.test(text) ? 'false' : '';
}

export function notA(type: LiteralType): string {
  const dates = type === 'date' || type.startsWith('time') ? ' in ISO 8601, without words like "now"' : '';
  return `expected a literal of type ${type}${dates}`;
}

function needsColumn(location: number | undefined, ...operands: readonly Operand[]): void {
  if (operands.some(({ kind }) => kind === 'column')) return;
  throw new ConditionError({ node: location }, 'a comparison needs a column');
}

function isComparison(operator: string): operator is ComparisonOperator {
  return (COMPARISON_OPERATORS as readonly string[]).includes(operator);
}

function nameOf(name: readonly Node[] | undefined): string {
  const [only, ...rest] = name ?? [];
  return only !== undefined && 'String' in only && rest.length === 0 ? (only.String.sval ?? '') : '';
}

function listOf(node: Node): readonly Node[] {
  return 'List' in node ? (node.List.items ?? []) : [];
}

/** Returns the byte offset of a node, if its kind has a `location`. */
function locationOf(node: Node | undefined): number | undefined {
  const [inner] = node === undefined ? [] : Object.values(node as Record<string, unknown>);
  const location =
    typeof inner === 'object' && inner !== null ? (Reflect.get(inner, 'location') as unknown) : undefined;
  return typeof location === 'number' && location >= 0 ? location : undefined;
}
