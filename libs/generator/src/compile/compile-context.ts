import { EvaluationError, ExpressionError } from '@understudy/expression';
import { BUDGETS } from '../definition/budgets.js';
import type { Environment } from './environment.js';
import {
  DefinitionError,
  GenerationError,
  ParameterFault,
  type Problem,
  UnsatisfiableFault,
} from '../definition/errors.js';
import type { Variety } from '../values/variety.js';

export interface UniqueGenerator {
  readonly path: string;
  /** The share of the rows that have no value, from 0 to 1. */
  readonly nullRate: number;
  readonly variety: () => Variety | undefined;
}

/** Collects the results of one compilation: problems, warnings, slots and the number of generators. */
export class CompileContext {
  readonly problems: Problem[] = [];
  /** Settings of the definition that have no effect. */
  readonly warnings: Problem[] = [];
  /** True once a generator needs the rows in ascending order, starting with the first row. */
  ordered = false;
  /** True once a generator uses the row number, so that a cell's value depends on it. */
  countsRows = false;
  /** The generators that must not repeat a value. */
  readonly uniques: UniqueGenerator[] = [];
  /**
   * The value of each slot that has the same value in every row, by slot. A slot is constant if it belongs to
   * a param of a composition, and the argument of the param is constant or absent.
   */
  readonly constants: unknown[] = [];
  /**
   * Slots whose values the definition does more with than insert them into a text. Compilers must add every
   * slot whose value decides something, such as whether a generator fails. A slot of {@link constants} is never
   * added.
   */
  readonly inspected = new Set<number>();
  /** True once items of a repeat are compared with each other. */
  comparesItems = false;
  /** True once a part of a stored definition is kept for which a new definition would be refused. */
  isOutdated = false;
  /** True while a definition is compiled that an earlier version accepted: see `Environment.isStored`. */
  private isStored: boolean;
  private overLimit = false;
  private isUnsatisfiable = false;
  private generators = 0;
  private depth = 0;
  private slots = 0;

  constructor(
    readonly environment: Environment,
    /**
     * `rows` compiles generators for numbered records. `cell` compiles one definition for single cells. The
     * random streams of a cell depend on the identity of the cell's row instead of a row number.
     */
    readonly mode: 'rows' | 'cell',
    /** In mode `cell`, the path of the outermost definition. */
    readonly rootPath = '',
  ) {
    this.isStored = environment.isStored === true;
  }

  get slotCount(): number {
    return this.slots;
  }

  newSlot(): number {
    this.slots += 1;
    return this.slots - 1;
  }

  /** Returns whether the values of all these slots are known during compilation. */
  areConstant(slots: Iterable<number>): boolean {
    for (const slot of slots) if (!(slot in this.constants)) return false;
    return true;
  }

  inspect(slots: Iterable<number>): void {
    for (const slot of slots) if (!this.areConstant([slot])) this.inspected.add(slot);
  }

  /** Adds a problem. @throws DefinitionError if there are too many problems to continue */
  fail(path: string, message: string): undefined {
    this.problems.push({ path, message });
    if (this.problems.length < BUDGETS.problems) return undefined;
    this.problems.push({ path: '', message: `${BUDGETS.problems} problems were found; there may be more` });
    throw this.error();
  }

  /** Adds a warning. Ignores further warnings after `BUDGETS.problems`. */
  warn(path: string, message: string): void {
    if (this.warnings.length < BUDGETS.problems) this.warnings.push({ path, message });
  }

  /** Adds mistakes as problems, or as warnings if the definition is stored. */
  reportMistakes(path: string, mistakes: readonly Pick<ExpressionError, 'message'>[]): void {
    for (const { message } of mistakes) {
      if (!this.isStored) this.fail(path, message);
      else {
        this.isOutdated = true;
        this.warn(path, message);
      }
    }
  }

  /** Runs a step that compiles a stored definition. */
  stored<T>(step: () => T): T {
    const outer = this.isStored;
    this.isStored = true;
    const result = step();
    this.isStored = outer;
    return result;
  }

  failLimit(path: string, message: string): undefined {
    this.overLimit = true;
    return this.fail(path, message);
  }

  /**
   * Compiles one generator. Adds a problem instead if there are too many generators, or if they are nested
   * too deeply.
   */
  generator<T>(path: string, compile: () => T): T | undefined {
    this.generators += 1;
    if (this.generators === BUDGETS.generators + 1) {
      this.failLimit(path, `a definition may have at most ${BUDGETS.generators} generators`);
    }
    if (this.generators > BUDGETS.generators) return undefined;
    if (this.depth === BUDGETS.generatorDepth) {
      return this.failLimit(path, `generators may be nested at most ${BUDGETS.generatorDepth} levels deep`);
    }
    this.depth += 1;
    const compiled = compile();
    this.depth -= 1;
    return compiled;
  }

  /** Runs a step. If the step throws an error about the definition, adds the error as a problem. */
  attempt<T>(path: string, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (error instanceof UnsatisfiableFault) this.isUnsatisfiable = true;
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

  /** @throws DefinitionError if there is a problem */
  finish(): void {
    if (this.problems.length > 0) throw this.error();
  }

  private file(path: string, message: string, isLimit: boolean): undefined {
    return isLimit ? this.failLimit(path, message) : this.fail(path, message);
  }

  private error(): DefinitionError {
    const code = this.overLimit ? 'limit_exceeded' : 'validation_error';
    return new DefinitionError(this.problems, code, this.isUnsatisfiable);
  }
}
