import { didYouMean } from '@understudy/expression';
import { BUDGETS } from '../definition/budgets.js';
import { CompileContext, type UniqueGenerator } from './compile-context.js';
import { nodeCompiler } from './compile-node.js';
import type { CompileOptions } from '../registry/generator-type.js';
import { CORE_REGISTRY, seedKey } from '../types/core-registry.js';
import { DefinitionError, type Problem } from '../definition/errors.js';
import { checkUniqueVariety } from './unique-variety.js';
import {
  joinPath,
  describe,
  isDeeperThan,
  isObject,
  own,
  setOwn,
  type JsonObject,
} from '../definition/json-value.js';
import type { Row } from '../values/row.js';
import { bindSteps, orderSteps, type Step } from './steps.js';
import { compileSteps } from '../types/composition/composition.js';
import { ValueMeter } from '../values/value-meter.js';

const MAX_ROW = Number.MAX_SAFE_INTEGER;

/** A compiled schema. It contains no seed. You can run it any number of times, also concurrently. */
export interface SchemaPlan {
  /** The keys of every record, in order. */
  readonly output: readonly string[];
  /**
   * True if a record may depend on the records before it (`unique`). A run that starts in the middle must
   * then generate the earlier records too.
   */
  readonly ordered: boolean;
  /**
   * Returns warnings about settings that have no effect, and about possible failures within `count` records.
   * Examples are a constraint that the mode of a model does not apply, and a `unique` that may run out of
   * values. Generates no records. Takes some milliseconds for each generator that draws from a model.
   * @throws DefinitionError if generation must fail
   */
  warnings(count: number): readonly Problem[];
  /**
   * Starts a run for a seed.
   * @param bindings the values of the binding names as plain data, in the order of their declaration
   * @throws RangeError if the seed is not a safe integer
   */
  open(seed: number, bindings?: readonly unknown[]): RecordCursor;
  /**
   * Generates the records numbered `from` to `from + count - 1` for a seed. Record i does not depend on
   * `from` and `count`. The caller owns the objects, but arrays and objects in them may be shared with the
   * schema and other records. Integers above 2^53 are bigints.
   * @throws GenerationError
   */
  records(seed: number, from: number, count: number): Generator<Record<string, unknown>>;
}

/** One run, positioned at one record at a time. Callers must not share a cursor. */
export interface RecordCursor {
  /** The values of the current record in the order of `output`. The array is reused for the next record. */
  readonly values: readonly unknown[];
  /**
   * Generates record `index`, 0 to 2^53 - 1. You can request records in any order unless the plan is
   * `ordered`. An ordered plan only moves forward, and also generates the skipped records.
   * @throws GenerationError
   * @throws RangeError if an ordered plan would have to move backward
   */
  moveTo(index: number): void;
  /**
   * Resets the budgets of one request. Call it between parts of a run that serves no single request, so that
   * the run can have any length. The values that `unique` has seen are kept.
   */
  startRequest(): void;
}

export interface SchemaOptions extends CompileOptions {
  /**
   * Names that generators may refer to in addition to each other. A generator hides a binding of the same
   * name.
   */
  readonly bindings?: readonly string[];
}

/** Checks and compiles a complete schema. @throws DefinitionError with every problem found */
export function compileSchema(schema: unknown, options: SchemaOptions): SchemaPlan {
  const context = new CompileContext(options, 'rows');
  if (isDeeperThan(schema, BUDGETS.jsonDepth)) {
    throw new DefinitionError(
      [{ path: '', message: `JSON may be nested at most ${BUDGETS.jsonDepth} levels deep` }],
      'limit_exceeded',
    );
  }
  if (!isObject(schema)) {
    throw new DefinitionError([{ path: '', message: `a schema must be an object, got ${describe(schema)}` }]);
  }
  for (const key of Object.keys(schema)) {
    if (key !== 'generators' && key !== 'output') {
      context.fail(
        joinPath('', key),
        `is not a key of a schema (generators, output)${didYouMean(key, ['generators', 'output'])}`,
      );
    }
  }
  // Bindings use the first slots, in order.
  const bound = new Map((options.bindings ?? []).map((name) => [name, context.newSlot()]));
  const inScope = new Map(bound);
  if (!Object.hasOwn(schema, 'generators')) context.fail('generators', 'a schema needs generators');
  const steps =
    compileSteps(
      own(schema, 'generators'),
      'generators',
      inScope,
      context,
      nodeCompiler(options.registry ?? CORE_REGISTRY),
    ) ?? [];
  const names = new Map([...inScope].filter(([name, slot]) => bound.get(name) !== slot));
  const output = readOutput(schema, names, context);
  // Sorting all steps finds every cycle, even if no output needs it. Only the needed steps run.
  orderSteps(
    steps,
    steps.map(({ slot }) => slot),
    context,
  );
  context.finish();
  const needed = orderSteps(
    steps,
    output.map((name) => names.get(name) ?? -1),
    context,
  );
  const run = new Set(needed.map(({ path }) => path));
  const uniques = context.uniques.filter(({ path }) => run.has(path));
  return new CompiledSchema(output, needed, names, context, uniques);
}

function readOutput(
  schema: JsonObject,
  names: ReadonlyMap<string, number>,
  context: CompileContext,
): string[] {
  const output = own(schema, 'output');
  if (!Array.isArray(output) || output.length === 0) {
    context.fail('output', `must be an array with at least one name, got ${describe(output)}`);
    return [];
  }
  const seen = new Set<string>();
  output.forEach((name: unknown, i) => {
    const path = joinPath('output', i);
    if (typeof name !== 'string') {
      context.fail(path, `must be a generator's name, got ${describe(name)}`);
    } else if (!names.has(name)) {
      context.fail(path, `there is no generator of this name${didYouMean(name, names.keys())}`);
    } else if (seen.has(name)) {
      context.fail(path, 'is in the output twice');
    } else {
      seen.add(name);
    }
  });
  return [...seen];
}

interface Column {
  readonly slot: number;
  /** The path of the generator. */
  readonly path: string;
}

class CompiledSchema implements SchemaPlan {
  readonly columns: readonly Column[];
  readonly slotCount: number;
  readonly ordered: boolean;
  private readonly ignored: readonly Problem[];

  constructor(
    readonly output: readonly string[],
    private readonly steps: readonly Step[],
    names: ReadonlyMap<string, number>,
    { slotCount, ordered, warnings }: CompileContext,
    private readonly uniques: readonly UniqueGenerator[],
  ) {
    this.slotCount = slotCount;
    this.ordered = ordered;
    this.ignored = warnings;
    this.columns = output.map((name) => ({
      slot: names.get(name) ?? -1,
      path: joinPath('generators', name),
    }));
  }

  warnings(count: number): readonly Problem[] {
    return [...this.ignored, ...checkUniqueVariety(this.uniques, count)];
  }

  open(seed: number, bindings: readonly unknown[] = []): RecordCursor {
    return new Cursor(this, bindSteps(this.steps, seedKey(seed)), bindings);
  }

  *records(seed: number, from: number, count: number): Generator<Record<string, unknown>> {
    if (
      !(
        Number.isSafeInteger(from) &&
        from >= 0 &&
        Number.isSafeInteger(count) &&
        count >= 0 &&
        from + count <= MAX_ROW
      )
    ) {
      throw new RangeError('from and count must be whole numbers from 0 with a sum below 2^53');
    }
    const cursor = this.open(seed);
    for (let index = from; index < from + count; index += 1) {
      cursor.moveTo(index);
      const record: Record<string, unknown> = {};
      this.output.forEach((name, i) => setOwn(record, name, cursor.values[i]));
      yield record;
    }
  }
}

class Cursor implements RecordCursor {
  readonly values: unknown[];
  private readonly row: Row;
  /** The row that an ordered plan generates next. */
  private next = 0;

  constructor(
    private readonly plan: CompiledSchema,
    private readonly fill: (row: Row) => void,
    bindings: readonly unknown[],
  ) {
    this.values = new Array<unknown>(plan.output.length).fill(null);
    this.row = {
      hi: 0,
      lo: 0,
      attempt: 0,
      index: 0,
      slots: new Array<unknown>(plan.slotCount).fill(null),
      meter: new ValueMeter(),
    };
    for (let i = 0; i < bindings.length; i += 1) this.row.slots[i] = bindings[i];
  }

  moveTo(index: number): void {
    if (this.plan.ordered) {
      if (index < this.next)
        throw new RangeError('an ordered plan generates its records in ascending order only');
      while (this.next < index) this.make(this.next++);
      this.next = index + 1;
    }
    this.make(index);
    const { row, values } = this;
    const { columns } = this.plan;
    for (let i = 0; i < columns.length; i += 1) {
      const { slot, path } = columns[i] as Column;
      const value = row.slots[slot];
      row.meter.addLeaves(value, path);
      values[i] = value;
    }
  }

  startRequest(): void {
    this.row.meter.startRequest();
  }

  private make(index: number): void {
    const { row } = this;
    row.hi = Math.floor(index / 4294967296);
    row.lo = index | 0;
    row.index = index;
    row.meter.startRecord();
    this.fill(row);
  }
}
