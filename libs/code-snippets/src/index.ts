export { type GenerateCall, type SnippetLanguage, generateSnippet, SETUP_OF } from './generate-snippets.js';
export { type Group, type Layout, print, type Style } from './layout.js';
export {
  alignedValues,
  composite,
  goLiteral,
  type Json,
  type JsonObject,
  jsonLiteral,
  phpLiteral,
  phpText,
  pythonLiteral,
  shellText,
  STYLE_OF,
} from './literals.js';
