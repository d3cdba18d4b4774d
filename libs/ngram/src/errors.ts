/** What all errors of this library share: a stable code, and a message without training values. */
export class NgramError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** Nothing can be trained: bad options, no values, or no transition seen in enough distinct values. */
export class TrainingError extends NgramError {
  constructor(message: string) {
    super('model.training', message);
  }
}

/** The bytes are no valid `.ngram` file of a version this reader knows. */
export class ModelFormatError extends NgramError {
  constructor(message: string) {
    super('model.format', message);
  }
}

/** No word of the model meets the constraints, or a constraint is no constraint; known before any draw. */
export class UnsatisfiableError extends NgramError {
  /** @param parameter the constraint or parameter at fault, as the reference writes it, when it is one alone */
  constructor(
    message: string,
    readonly parameter?: string,
  ) {
    super('model.unsatisfiable', message);
  }
}

/** The constraints need tables beyond the budget; the message says what to change. */
export class PlanTooLargeError extends NgramError {
  constructor(message: string) {
    super('model.plan_too_large', message);
  }
}

/** The model lacks what the mode needs. */
export class ModeNotServedError extends NgramError {
  constructor(message: string) {
    super('model.mode_not_served', message);
  }
}

/** Every draw of one word was an original or too long, as often as a plan may try. */
export class AttemptsExhaustedError extends NgramError {
  constructor(readonly attempts: number) {
    super(
      'model.attempts_exhausted',
      `no acceptable word in ${attempts} draws: the model knows too few new words`,
    );
  }
}

/** What a mode makes of this model is longer than any text may be. */
export class TextTooLongError extends NgramError {
  constructor(readonly longest: number) {
    super('model.text_too_long', `the text would be longer than ${longest} characters; ask for less of it`);
  }
}
