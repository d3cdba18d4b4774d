import { EvaluationError, ExpressionError } from '@understudy/expression';
import { BUDGETS } from '../definition/budgets.js';
import type { Environment } from './environment.js';
import { DefinitionError, GenerationError, ParameterFault, type Problem } from '../definition/errors.js';
import type { Variety } from '../values/variety.js';

export interface UniqueGenerator {
  readonly path: string;
  /** Share of the rows that take no value. */
  readonly nullRate: number;
  readonly variety: () => Variety | undefined;
}

/** What one compilation gathers: problems, slots, and how many generators there are. */
export class CompileContext {
  readonly problems: Problem[] = [];
  /** What the definition asks for and does not get. */
  readonly warnings: Problem[] = [];
  /** True once a generator needs to see its rows in order from the first. */
  ordered = false;
  /** True once a generator counts rows: a cell's value is then a function of its row's number too. */
  countsRows = false;
  /** Generators that must not repeat a value. */
  readonly uniques: UniqueGenerator[] = [];
  /** Values by slot, of the slots that hold the same in every row: params of compositions that are given constants. */
  readonly constants: unknown[] = [];
  private overLimit = false;
  private generators = 0;
  private depth = 0;
  private slots = 0;

  constructor(
    readonly environment: Environment,
    /** `rows`: records with numbers. `cell`: single cells whose row has an identity but no number. */
    readonly mode: 'rows' | 'cell',
    /** Where the outermost definition of a `cell` stands. */
    readonly rootPath = '',
  ) {}

  get slotCount(): number {
    return this.slots;
  }

  newSlot(): number {
    this.slots += 1;
    return this.slots - 1;
  }

  /** Whether all of these slots are known while compiling. */
  areConstant(slots: Iterable<number>): boolean {
    for (const slot of slots) if (!(slot in this.constants)) return false;
    return true;
  }

  /** Files a problem. @throws DefinitionError when there are so many that looking for more helps nobody */
  fail(path: string, message: string): undefined {
    this.problems.push({ path, message });
    if (this.problems.length < BUDGETS.problems) return undefined;
    this.problems.push({ path: '', message: `${BUDGETS.problems} problems were found; there may be more` });
    throw this.error();
  }

  /** Files a warning, of which the first are kept. */
  warn(path: string, message: string): void {
    if (this.warnings.length < BUDGETS.problems) this.warnings.push({ path, message });
  }

  failLimit(path: string, message: string): undefined {
    this.overLimit = true;
    return this.fail(path, message);
  }

  /** Compiles one generator, unless there are too many of them, or too many within each other. */
  generator<T>(path: string, compile: () => T): T | undefined {
    this.generators += 1;
    if (this.generators === BUDGETS.generators + 1) {
      this.failLimit(path, `a definition holds at most ${BUDGETS.generators} generators`);
    }
    if (this.generators > BUDGETS.generators) return undefined;
    if (this.depth === BUDGETS.generatorDepth) {
      return this.failLimit(path, `generators nest at most ${BUDGETS.generatorDepth} levels`);
    }
    this.depth += 1;
    const compiled = compile();
    this.depth -= 1;
    return compiled;
  }

  /** Runs a step that throws on a fault of the definition, and files the fault. */
  attempt<T>(path: string, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (error instanceof ParameterFault) return this.file(error.path, error.reason, error.overLimit);
      if (error instanceof ExpressionError || error instanceof EvaluationError) {
        return this.file(path, error.message, error.overLimit);
      }
      if (error instanceof GenerationError) {
        return this.file(error.path, error.reason, error.code === 'limit_exceeded');
      }
      throw error;
    }
  }

  /** @throws DefinitionError when there was any problem */
  finish(): void {
    if (this.problems.length > 0) throw this.error();
  }

  private file(path: string, message: string, isLimit: boolean): undefined {
    return isLimit ? this.failLimit(path, message) : this.fail(path, message);
  }

  private error(): DefinitionError {
    return new DefinitionError(this.problems, this.overLimit ? 'limit_exceeded' : 'validation_error');
  }
}
