import { EvaluationError, ExpressionError } from '@understudy/expression';
import { BUDGETS } from './budgets.js';
import type { CompileOptions } from './compile-options.js';
import { DefinitionError, GenerationError, ParameterFault, type Problem } from './errors.js';

/** What one compilation gathers: problems, slots, and how many generators there are. */
export class CompileContext {
  readonly problems: Problem[] = [];
  /** True once a generator needs to see its rows in order from the first. */
  ordered = false;
  private overLimit = false;
  private generators = 0;
  private slots = 0;

  constructor(
    readonly options: CompileOptions,
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

  fail(path: string, message: string): undefined {
    this.problems.push({ path, message });
    return undefined;
  }

  failLimit(path: string, message: string): undefined {
    this.overLimit = true;
    return this.fail(path, message);
  }

  /** Counts one generator; false once there are too many, and then compiling need not go on. */
  countGenerator(path: string): boolean {
    this.generators += 1;
    if (this.generators === BUDGETS.generators + 1) {
      this.failLimit(path, `a definition holds at most ${BUDGETS.generators} generators`);
    }
    return this.generators <= BUDGETS.generators;
  }

  /** Runs a step that throws on a fault of the definition, and files the fault. */
  attempt<T>(path: string, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (error instanceof ParameterFault) return this.fail(error.path, error.reason);
      if (error instanceof ExpressionError) {
        return error.overLimit ? this.failLimit(path, error.message) : this.fail(path, error.message);
      }
      if (error instanceof EvaluationError) return this.fail(path, error.message);
      if (error instanceof GenerationError) return this.fail(error.path, error.reason);
      throw error;
    }
  }

  /** @throws DefinitionError when there was any problem */
  finish(): void {
    if (this.problems.length > 0) {
      throw new DefinitionError(this.problems, this.overLimit ? 'limit_exceeded' : 'validation_error');
    }
  }
}
