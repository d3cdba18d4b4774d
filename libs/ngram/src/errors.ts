/** The base class of this library's errors: a stable code, and a message without training values. */
export class NgramError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * Training is impossible: an option or a weight is invalid, there are no values or too many transitions, or
 * `minValues` leaves no complete path from START to END.
 */
export class TrainingError extends NgramError {
  constructor(message: string) {
    super('model.training', message);
  }
}

/** The bytes are not a valid `.ngram` file of a supported version. */
export class ModelFormatError extends NgramError {
  constructor(message: string) {
    super('model.format', message);
  }
}

/** No word of the model meets the constraints, or a constraint is invalid. Thrown when a plan is compiled. */
export class UnsatisfiableError extends NgramError {
  /**
   * @param parameter the constraint or parameter that causes the error, spelled as in docs/reference.md.
   * Undefined if several cause it together
   */
  constructor(
    message: string,
    readonly parameter?: string,
  ) {
    super('model.unsatisfiable', message);
  }
}

/** The tables of a plan would exceed the budget. The message suggests how to change the constraints. */
export class PlanTooLargeError extends NgramError {
  constructor(message: string) {
    super('model.plan_too_large', message);
  }
}

/** The model lacks the data that the mode needs. */
export class ModeNotServedError extends NgramError {
  constructor(message: string) {
    super('model.mode_not_served', message);
  }
}

/** A plan has used up its attempts, or its budget of symbols, before it drew an acceptable word. */
export class AttemptsExhaustedError extends NgramError {
  constructor(readonly attempts: number) {
    super(
      'model.attempts_exhausted',
      `no acceptable word in ${attempts} draws: the model has too few new words`,
    );
  }
}

/** A mode would generate a text that is longer than `longest` code points. */
export class TextTooLongError extends NgramError {
  constructor(readonly longest: number) {
    super(
      'model.text_too_long',
      `the text would be longer than ${longest} characters; request a shorter one`,
    );
  }
}
