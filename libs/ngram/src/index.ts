export { type CaseFolding, normalizeValue } from './case-folding.js';
export { type CompileWordOptions, compileWord } from './compile-word.js';
export {
  AttemptsExhaustedError,
  ModelFormatError,
  NgramError,
  PlanTooLargeError,
  TrainingError,
  UnsatisfiableError,
} from './errors.js';
export type { ModelGraph } from './model-graph.js';
export type { ModelMetadata } from './model-metadata.js';
export type { NgramModel } from './ngram-model.js';
export { NgramTrainer } from './ngram-trainer.js';
export { type ReadOptions, readModel } from './read-model.js';
export type { TrainOptions } from './train-options.js';
export type { TrainingReport } from './training-report.js';
export type { WordConstraints } from './word-constraints.js';
export { WordPlan } from './word-plan.js';
