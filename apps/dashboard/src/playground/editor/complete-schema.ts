import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorView } from '@codemirror/view';

import type { Catalog } from '../../engine/worker/messages.js';
import { contextAt } from './json-context.js';
import { isInExpression, suggest, type Suggestion } from './suggestions.js';

/** Completes a schema from the engine's tables. @param catalog returns undefined until the tables are there */
export function completeSchema(catalog: () => Catalog | undefined) {
  return (context: CompletionContext): CompletionResult | null => {
    const tables = catalog();
    const text = context.state.doc.toString();
    const found = tables && contextAt(syntaxTree(context.state), text, context.pos);
    if (!found) return null;
    const isQuoted = found.range.to > found.range.from;
    if (!isQuoted && !context.explicit) return null;
    const written = isQuoted ? text.slice(found.range.from + 1, context.pos) : '';
    const suggestions = suggest(found, tables, written);
    if (suggestions.length === 0) return null;
    const isExpression = isInExpression(written);
    const word = (isExpression ? /\w*$/ : /[\w@:./-]*$/).exec(written)?.[0] ?? '';
    return {
      from: context.pos - word.length,
      // Without a boost, the list would be in alphabetical order.
      options: suggestions.map((suggestion, index) => ({
        ...(isExpression ? asName(suggestion) : asJson(suggestion)),
        boost: Math.max(-99, 99 - index),
      })),
      validFor: isExpression ? /^\w*$/ : /^[\w@:./-]*$/,
    };
  };
}

function asName({ text, detail }: Suggestion): Completion {
  return { label: text, ...(detail !== undefined && { detail }) };
}

/** A completion that replaces the whole JSON string at the cursor, and adds a colon after a new name. */
function asJson({ text, detail, info }: Suggestion): Completion {
  return {
    label: text,
    ...(detail !== undefined && { detail }),
    ...(info !== undefined && { info }),
    apply(view: EditorView) {
      const document = view.state.doc.toString();
      const context = contextAt(syntaxTree(view.state), document, view.state.selection.main.head);
      if (context === undefined) return;
      const { kind, range } = context;
      const isNewName = kind === 'name' && !/^\s*:/.test(document.slice(range.to));
      const insert = JSON.stringify(text) + (isNewName ? ': ' : '');
      view.dispatch({
        changes: { ...range, insert },
        selection: { anchor: range.from + insert.length },
        userEvent: 'input.complete',
      });
    },
  };
}
