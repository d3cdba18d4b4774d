import type { ByteSink } from '@understudy/bytes';
import type { SlotTexts } from '@understudy/expression';
import type { Key } from '@understudy/random';
import { BUDGETS } from '../definition/budgets.js';
import { CompileContext } from './compile-context.js';
import { nodeCompiler } from './compile-node.js';
import type { CompileOptions } from '../registry/generator-type.js';
import { CORE_REGISTRY } from '../types/core-registry.js';
import { DefinitionError, type Problem } from '../definition/errors.js';
import { isDeeperThan, type JsonObject } from '../definition/json-value.js';
import { withModifiers } from './modifiers.js';
import type { Node } from '../values/node.js';
import type { Cell, Row, TextCell } from '../values/row.js';
import { compileBody } from '../types/composition/composition.js';
import type { ValueTraits, Variety } from '../values/variety.js';
import { ValueMeter } from '../values/value-meter.js';

export interface Inspected {
  /** The names of inspected bindings. */
  readonly bindings: readonly string[];
  /** True if values that the definition itself makes can be inspected, such as `value` in a transform. */
  readonly ownValues: boolean;
}

/**
 * A compiled generator for column rules. It computes a cell from the identity of the cell's row. It serves
 * one thread and is not re-entrant.
 */
export interface DefinitionPlan {
  /** The names of the bindings that the definition reads, in the order of their declaration. */
  readonly references: readonly string[];
  /** The values that the definition does more with than insert them into a text. */
  readonly inspected: Inspected;
  /** True if the value depends on the row number (`index`). */
  readonly countsRows: boolean;
  /** Known properties of the values, apart from the nulls that `nullable` adds. */
  readonly traits: ValueTraits;
  /** Settings of the definition that have no effect, with their paths. */
  readonly warnings: readonly Problem[];
  /** True if a part of the definition is kept for which a new definition would be refused. */
  readonly isOutdated: boolean;
  /** Returns the number of different values, or undefined if it is unknown. May take milliseconds. */
  readonly variety: () => Variety | undefined;
  /**
   * Returns the value of one cell. The result depends only on the arguments.
   * @param key the column's key. Pass the same object for every row: another object makes the plan derive all
   * random keys again
   * @param hi,lo the identity of the row as two 32-bit words
   * @param attempt 0 for the first value, then the number of the retry. It does not affect whether `nullable`
   * makes the value null
   * @param bindings the values of all binding names, in the order of their declaration
   * @param index the row number, for a plan with `countsRows`
   * @throws GenerationError
   */
  value(
    key: Key,
    hi: number,
    lo: number,
    attempt: number,
    bindings: readonly unknown[],
    index?: number,
  ): unknown;
  /**
   * Appends the value's text as UTF-8. This is much faster than `value`. Absent if the generator can
   * produce its text only through `value`.
   * @param texts the texts of the bindings, in the order of their declaration
   * @returns false if only `value` can produce the text or the error; the caller must then remove the
   * appended bytes and call `value`
   */
  readonly write?:
    | ((key: Key, hi: number, lo: number, attempt: number, texts: SlotTexts, out: ByteSink) => boolean)
    | undefined;
}

export interface CellOptions extends CompileOptions {
  /** The path of the definition. The paths of problems start with it. */
  readonly path: string;
  /** Names that the definition may refer to. */
  readonly bindings?: readonly string[];
}

export interface TemplateOptions extends CellOptions {
  /** `nullable` and `transform` of the rule that contains the template. */
  readonly modifiers?: { readonly nullable?: number; readonly transform?: string };
  /** The path of the modifiers. Default: `path`. */
  readonly modifiersPath?: string;
}

/** Compiles a generator definition of any form. @throws DefinitionError */
export function compileDefinition(definition: unknown, options: CellOptions): DefinitionPlan {
  if (isDeeperThan(definition, BUDGETS.jsonDepth)) {
    const message = `JSON may be nested at most ${BUDGETS.jsonDepth} levels deep`;
    throw new DefinitionError([{ path: options.path, message }], 'limit_exceeded');
  }
  const context = new CompileContext(options, 'cell', options.path);
  const names = declare(options, context);
  const compileNode = nodeCompiler(options.registry ?? CORE_REGISTRY);
  return planOf(compileNode(definition, options.path, names, context), names, context);
}

/**
 * Compiles the pattern of `{generator: "template", pattern}`, which renders to text. @throws DefinitionError
 */
export function compileTemplate(pattern: string, options: TemplateOptions): DefinitionPlan {
  const at = options.modifiersPath ?? options.path;
  const context = new CompileContext(options, 'cell', at);
  const names = declare(options, context);
  const body = compileBody(pattern, options.path, names, context);
  const modifiers: JsonObject = { ...options.modifiers };
  return planOf(body && withModifiers(body, modifiers, at, names, context), names, context);
}

/** Assigns the first slots to the bindings, in the order of their declaration. */
function declare({ bindings = [] }: CellOptions, context: CompileContext): Map<string, number> {
  return new Map(bindings.map((name) => [name, context.newSlot()]));
}

function planOf(
  node: Node | undefined,
  names: ReadonlyMap<string, number>,
  context: CompileContext,
): DefinitionPlan {
  context.finish();
  if (node === undefined) throw new Error('a definition without problems compiles to a node');
  const read = [...names].filter(([, slot]) => node.reads.has(slot));
  // Only bindings have texts. A node that also reads its own steps or params needs values.
  const bindText = node.reads.size === read.length ? node.bindText : undefined;
  return new CompiledDefinition(node, read, inspectedOf(context, names), { context, bindText });
}

function inspectedOf(
  { inspected, comparesItems }: CompileContext,
  names: ReadonlyMap<string, number>,
): Inspected {
  const bindings = [...names].filter(([, slot]) => inspected.has(slot)).map(([name]) => name);
  return { bindings, ownValues: comparesItems || inspected.size > bindings.length };
}

class CompiledDefinition implements DefinitionPlan {
  private readonly row: Row;
  private boundKey: Key | undefined;
  private cell: Cell = () => null;
  private textKey: Key | undefined;
  private textCell: TextCell = () => false;
  readonly write: DefinitionPlan['write'];
  readonly references: readonly string[];
  private readonly readSlots: readonly number[];
  readonly traits: ValueTraits;
  readonly countsRows: boolean;
  readonly warnings: readonly Problem[];
  readonly isOutdated: boolean;
  readonly variety = (): Variety | undefined => this.node.variety?.();

  constructor(
    private readonly node: Node,
    read: readonly (readonly [name: string, slot: number])[],
    readonly inspected: Inspected,
    { context, bindText }: { readonly context: CompileContext; readonly bindText: Node['bindText'] },
  ) {
    const { countsRows, slotCount, warnings, isOutdated } = context;
    this.countsRows = countsRows;
    this.warnings = warnings;
    this.isOutdated = isOutdated;
    this.write = bindText && this.writeText.bind(this, bindText);
    this.references = read.map(([name]) => name);
    this.readSlots = read.map(([, slot]) => slot);
    this.traits = node.traits ?? {};
    this.row = {
      hi: 0,
      lo: 0,
      attempt: 0,
      index: 0,
      slots: new Array<unknown>(slotCount).fill(null),
      meter: new ValueMeter(),
    };
  }

  value(key: Key, hi: number, lo: number, attempt: number, bindings: readonly unknown[], index = 0): unknown {
    if (key !== this.boundKey) {
      this.cell = this.node.bind(key);
      this.boundKey = key;
    }
    const { row, readSlots } = this;
    // The slot of a binding is its index among the bindings.
    for (let i = 0; i < readSlots.length; i += 1) {
      const slot = readSlots[i] as number;
      row.slots[slot] = bindings[slot];
    }
    row.hi = hi;
    row.lo = lo;
    row.attempt = attempt;
    row.index = index;
    row.meter.startCell();
    return this.cell(row);
  }

  private writeText(
    bindText: NonNullable<Node['bindText']>,
    key: Key,
    hi: number,
    lo: number,
    attempt: number,
    texts: SlotTexts,
    out: ByteSink,
  ): boolean {
    if (key !== this.textKey) {
      this.textCell = bindText(key);
      this.textKey = key;
    }
    const { row } = this;
    row.hi = hi;
    row.lo = lo;
    row.attempt = attempt;
    return this.textCell(row, texts, out);
  }
}
