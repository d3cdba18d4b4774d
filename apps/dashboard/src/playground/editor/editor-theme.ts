import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/**
 * The look of the editor. It has only the colours of the design system, whose CSS variables reach into the shadow root,
 * so it follows the theme of the page. The element around
 * the editor shows the focus.
 */
const LOOK = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-ink)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.25rem', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--color-accent)', padding: '0.625rem 0' },
  '.cm-line': { padding: '0 0.75rem 0 0.25rem' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-faint)',
    border: 'none',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-subtle)' },
  '.cm-activeLineGutter': { color: 'var(--color-ink)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--color-accent-soft)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-raised)',
    color: 'var(--color-ink)',
    border: '1px solid var(--color-line)',
    borderRadius: 'var(--radius-md)',
    boxShadow: 'var(--shadow-popup)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '15rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-accent-solid)',
    color: 'var(--color-on-accent)',
  },
  '.cm-completionDetail': {
    fontStyle: 'normal',
    color: 'var(--color-muted)',
    fontFamily: 'var(--font-sans)',
  },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--color-on-accent)' },
  '.cm-completionInfo': { maxWidth: '22rem', padding: '0.5rem 0.75rem', fontFamily: 'var(--font-sans)' },
  '@media (max-width: 40rem)': { '.cm-completionInfo': { display: 'none' } },
  '.cm-diagnostic': { padding: '0.375rem 0.75rem', fontFamily: 'var(--font-sans)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--color-danger)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--color-warning)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--color-danger)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px solid var(--color-warning)' },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--color-accent)' },
  { tag: tags.string, color: 'var(--color-success)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-info)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--color-muted)' },
  { tag: tags.invalid, color: 'var(--color-danger)' },
]);

export const EDITOR_THEME = [LOOK, syntaxHighlighting(COLOURS)];
