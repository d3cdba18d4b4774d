import type { Node } from 'libpg-query';

import { MAX_DEPTH } from './check-tokens.js';

export const MAX_EXPRESSION_BYTES = 16_384;
const MAX_NODES = 2_000;

/**
 * The columns and functions of an expression. Apart from them, the expression contains only literals, casts to
 * built-in types, and operators of `pg_catalog`.
 */
export interface BuiltinExpression {
  /** The unqualified column names, each once. */
  readonly columns: readonly string[];
  /** The functions of `pg_catalog` that the expression calls. */
  readonly functions: readonly CalledFunction[];
}

export interface CalledFunction {
  readonly name: string;
  readonly args: number;
}

type Parser = typeof import('libpg-query');

const PREFIX = 'SELECT WHERE ';

/**
 * Parses an expression from the catalogs (`pg_get_expr` with an empty search_path) and checks that another
 * server can evaluate it. Compares PostgreSQL's parse tree with an allow-list. The caller must check that the
 * functions are harmless. No text makes the promise reject.
 * @returns undefined if the expression contains a construct outside the allow-list, such as a subquery or
 *   `current_user`
 */
export async function readBuiltinExpression(text: string): Promise<BuiltinExpression | undefined> {
  if (Buffer.byteLength(text) > MAX_EXPRESSION_BYTES) return undefined;
  const parser = await import('libpg-query');
  await parser.loadModule();
  try {
    if (nestsTooDeep(parser, text)) return undefined;
    const [only, ...more] = parser.parseSync(PREFIX + text).stmts ?? [];
    const statement = only?.stmt;
    if (more.length > 0 || statement === undefined || !('SelectStmt' in statement)) return undefined;
    const { whereClause, ...rest } = statement.SelectStmt;
    const isOnlyClause = Object.keys(rest).every((key) => key === 'limitOption' || key === 'op');
    if (whereClause === undefined || !isOnlyClause || rest.op !== 'SETOP_NONE') return undefined;
    return new ExpressionReader().read(whereClause);
  } catch {
    return undefined; // The text is not an expression or contains a node that is not allowed.
  }
}

/** Tests whether the nesting is too deep for the parser's stack or for a recursive reader of the tree. */
function nestsTooDeep(parser: Parser, text: string): boolean {
  let depth = 0;
  return parser.scanSync(text).tokens.some(({ text: token }) => {
    if ('([{'.includes(token)) depth++;
    if (')]}'.includes(token)) depth--;
    if (/^(?:not|case|-|~|\+)$/i.test(token)) depth += 0.25;
    return depth > MAX_DEPTH;
  });
}

/** The allowed kinds of nodes, each with its fields that contain other nodes. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  A_Const: [],
  A_Expr: ['lexpr', 'rexpr'],
  A_ArrayExpr: ['elements'],
  BoolExpr: ['args'],
  BooleanTest: ['arg'],
  CaseExpr: ['arg', 'args', 'defresult'],
  CaseWhen: ['expr', 'result'],
  CoalesceExpr: ['args'],
  ColumnRef: [],
  FuncCall: ['args'],
  List: ['items'],
  MinMaxExpr: ['args'],
  NullTest: ['arg'],
  TypeCast: ['arg'],
};
/** The other fields that are allowed, by kind of node. */
const PLAIN: Readonly<Record<string, readonly string[]>> = {
  A_Const: ['ival', 'fval', 'sval', 'bsval', 'boolval', 'isnull'],
  A_Expr: ['kind', 'name', 'rexpr_list_start', 'rexpr_list_end'],
  A_ArrayExpr: ['list_start', 'list_end'],
  BoolExpr: ['boolop'],
  BooleanTest: ['booltesttype'],
  ColumnRef: ['fields'],
  FuncCall: ['funcname', 'funcformat'],
  MinMaxExpr: ['op'],
  NullTest: ['nulltesttype'],
  TypeCast: ['typeName'],
};

class Refusal extends Error {}

class ExpressionReader {
  private readonly columns = new Set<string>();
  private readonly functions: CalledFunction[] = [];
  private nodes = 0;

  read(tree: Node): BuiltinExpression {
    this.visit(tree);
    return { columns: [...this.columns], functions: this.functions };
  }

  private visit(node: unknown): void {
    if (++this.nodes > MAX_NODES) throw new Refusal('too large');
    const [kind = '', ...others] = Object.keys(node as object);
    const parts = PARTS[kind];
    if (parts === undefined || others.length > 0) throw new Refusal(kind);
    const fields = (node as Record<string, Record<string, unknown>>)[kind] ?? {};
    for (const [field, value] of Object.entries(fields)) {
      if (parts.includes(field)) for (const part of Array.isArray(value) ? value : [value]) this.visit(part);
      else if (field !== 'location' && PLAIN[kind]?.includes(field) !== true) throw new Refusal(field);
    }
    this.record(kind, fields);
  }

  private record(kind: string, fields: Record<string, unknown>): void {
    switch (kind) {
      case 'ColumnRef':
        this.columns.add(onlyName(fields['fields']));
        return;
      case 'A_Expr':
        onlyName(fields['name']);
        return;
      case 'FuncCall': {
        const args = fields['args'];
        this.functions.push({
          name: builtinName(fields['funcname']),
          args: Array.isArray(args) ? args.length : 0,
        });
        return;
      }
      case 'TypeCast':
        checkType(fields['typeName'] as Record<string, unknown>);
        return;
    }
  }
}

function checkType({ names, typmods, setof, pct_type: isReference }: Record<string, unknown>): void {
  const isPlain = (Array.isArray(typmods) ? typmods : []).every((one) => 'A_Const' in (one as object));
  // Types such as regclass contain names of objects, which may have another meaning on another server.
  if (setof !== undefined || isReference !== undefined || !isPlain || builtinName(names).startsWith('reg')) {
    throw new Refusal('type');
  }
}

/** Returns `name` for a list of the form `name` or `pg_catalog.name`. @throws Refusal for any other list */
function builtinName(list: unknown): string {
  const [first, ...rest] = namesOf(list);
  return first === 'pg_catalog' && rest.length === 1 ? (rest[0] ?? '') : onlyName(list);
}

function onlyName(list: unknown): string {
  const [only, ...more] = namesOf(list);
  if (only === undefined || more.length > 0) throw new Refusal('a name of several parts');
  return only;
}

function namesOf(list: unknown): readonly string[] {
  return (Array.isArray(list) ? list : []).map((part) => {
    const text = (part as { String?: { sval?: string } }).String?.sval;
    if (text === undefined) throw new Refusal('not a name');
    return text;
  });
}
