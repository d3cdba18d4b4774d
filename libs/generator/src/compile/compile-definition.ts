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

/** One generator as a function of a cell's identity, for column rules. Serves one thread; not re-entrant. */
export interface DefinitionPlan {
  /** Those of the bindings that it reads, in their order. */
  readonly references: readonly string[];
  /** It takes the number of its row. */
  readonly countsRows: boolean;
  /** What is known of its values, nulls of `nullable` left aside. */
  readonly traits: ValueTraits;
  /** What the definition asks for and does not get, with its path. */
  readonly warnings: readonly Problem[];
  /** How many different values it has; undefined where there is no telling. May cost milliseconds. */
  readonly variety: () => Variety | undefined;
  /**
   * The value of one cell. Pure: a function of the arguments alone.
   * @param key the column's key. Labels are hashed when it changes, so keep the object and pass it again
   * @param hi,lo the row's identity as two 32-bit words
   * @param attempt 0, or which re-draw this is; a null of `nullable` is the same for every attempt
   * @param bindings the values of the binding names, in the order they were declared
   * @param index the row's number, for a plan that counts rows
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
   * Appends the UTF-8 of the value's text, for a fraction of what the value costs. Absent where it would not.
   * @param texts those of the bindings, by their place among the binding names
   * @returns false where only `value` can tell, or fail; then what was appended is to be taken off again
   */
  readonly write?:
    | ((key: Key, hi: number, lo: number, attempt: number, texts: SlotTexts, out: ByteSink) => boolean)
    | undefined;
}

export interface CellOptions extends CompileOptions {
  /** Where the definition stands; problems are reported below it. */
  readonly path: string;
  /** Names that the definition may refer to. */
  readonly bindings?: readonly string[];
}

export interface TemplateOptions extends CellOptions {
  /** `nullable` and `transform` of the rule that holds the template. */
  readonly modifiers?: { readonly nullable?: number; readonly transform?: string };
  /** Where the modifiers stand; `path` when not given. */
  readonly modifiersPath?: string;
}

/** Compiles a generator definition of any form. @throws DefinitionError */
export function compileDefinition(definition: unknown, options: CellOptions): DefinitionPlan {
  if (isDeeperThan(definition, BUDGETS.jsonDepth)) {
    const message = `JSON nests at most ${BUDGETS.jsonDepth} levels`;
    throw new DefinitionError([{ path: options.path, message }], 'limit_exceeded');
  }
  const context = new CompileContext(options, 'cell', options.path);
  const names = declare(options, context);
  const compileNode = nodeCompiler(options.registry ?? CORE_REGISTRY);
  return planOf(compileNode(definition, options.path, names, context), names, context);
}

/** Compiles the pattern of `{generator: "template", pattern}`; it renders to text. @throws DefinitionError */
export function compileTemplate(pattern: string, options: TemplateOptions): DefinitionPlan {
  const at = options.modifiersPath ?? options.path;
  const context = new CompileContext(options, 'cell', at);
  const names = declare(options, context);
  const body = compileBody(pattern, options.path, names, context);
  const modifiers: JsonObject = { ...options.modifiers };
  return planOf(body && withModifiers(body, modifiers, at, names, context), names, context);
}

/** Bindings take the first slots, in order. */
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
  // Only bindings have their texts: what reads a step or a param of its own needs the value.
  const bindText = node.reads.size === read.length ? node.bindText : undefined;
  return new CompiledDefinition(node, read, context, bindText);
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
  readonly variety = (): Variety | undefined => this.node.variety?.();

  constructor(
    private readonly node: Node,
    read: readonly (readonly [name: string, slot: number])[],
    { countsRows, slotCount, warnings }: CompileContext,
    bindText: Node['bindText'],
  ) {
    this.countsRows = countsRows;
    this.warnings = warnings;
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
    // A binding's slot is its place among them.
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
