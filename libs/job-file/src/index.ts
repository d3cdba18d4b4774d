export { type LocatedProblem, type ParsedJson, parseJsonWithComments } from './json-with-comments.js';
