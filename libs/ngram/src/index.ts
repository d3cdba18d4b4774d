export { type CaseFolding, normalizeValue } from './model/case-folding.js';
export { type Alphabet, CharAlphabet, WordAlphabet } from './model/alphabet.js';
export {
  AttemptsExhaustedError,
  ModelFormatError,
  ModeNotServedError,
  NgramError,
  PlanTooLargeError,
  TextTooLongError,
  TrainingError,
  UnsatisfiableError,
} from './errors.js';
export { GENERATION_MODES, type GenerationMode, type ModelMetadata } from './model/model-metadata.js';
export type { ModelGraph } from './model/model-graph.js';
export type { NgramModel } from './model/ngram-model.js';
export { NgramTrainer } from './training/ngram-trainer.js';
export type { TrainOptions } from './training/train-options.js';
export type { TrainingReport } from './training/training-report.js';
export { type ReadOptions, readModel, stripOriginals } from './file/read-model.js';
export { type CompileWordOptions, compileWord } from './sampling/compile-word.js';
export type { WordConstraints } from './sampling/constraints/word-constraints.js';
export type { WordPlan } from './sampling/word-plan.js';
export { compileMode, ignoredConstraints, MODE_CONSTRAINTS, type ModePlan } from './modes/compile-mode.js';
export { MODE_LIMITS, type ModeParameters } from './modes/mode-parameters.js';
export { describeModel, type ModelDescription } from './describe/describe-model.js';
export { logProbability } from './describe/log-probability.js';
export { type NextSymbol, type NextSymbols, nextSymbols } from './describe/next-symbols.js';
export { describePlan, type PlanDescription } from './describe/describe-plan.js';
