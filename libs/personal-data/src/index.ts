export { type ColumnFacts, type Detection, type Undecided, reasonOf } from './detect/detection.js';
export { detectColumn } from './detect/detect-column.js';
export { detectUndecided } from './detect/detect-undecided.js';
export {
  detectJsonPaths,
  type JsonPathDetection,
  type PersonalPaths,
} from './documents/detect-json-paths.js';
export { type DocumentPaths, JsonPathCollector } from './documents/json-paths.js';
export { findMention } from './mentions/find-mention.js';
export type { MentionCounts } from './documents/value-sample.js';
export { type CollectedTexts, TextCollector } from './documents/text-collector.js';
export { KIND_WORDS, KINDS, type Kind, MENTIONED } from './kind.js';
export { leadingLocale, localeVotes, type LocaleVotes } from './values/locale-votes.js';
export { WordLists } from './values/word-lists.js';
export { emailOfNames, type SiblingNames } from './propose/name-rules.js';
export { cardRule, ibanRule, NATIONAL_ID_RULES } from './propose/numbered-rules.js';
export { proposeRules, type ProposalRequest } from './propose/propose-rules.js';
export { NULLS, type RuleDefinition } from './propose/rule-definitions.js';
export { isOpaque, typeGroup } from './detect/type-group.js';
