import { slug } from '@understudy/expression';

export type ModelId =
  | { readonly kind: 'builtin'; readonly id: string }
  | { readonly kind: 'custom' | 'private'; readonly id: string; readonly name: string };

const FORM = /^([A-Za-z0-9_.-]{1,64})\/([A-Za-z0-9_.-]{1,128})$/;

/** What stands after `custom/` in an id; also a check of the table. */
export const CUSTOM_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** The same as an upload may give it: with `custom/` or without. */
export const GIVEN_ID = /^(custom\/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

const LONGEST_NAME = 128;

/** @returns what stands after `custom/` for an upload of this name: the name, or a slug of it; undefined where that is empty */
export function idNameOf(name: string): string | undefined {
  if (CUSTOM_NAME.test(name)) return name;
  return slug(name).slice(0, LONGEST_NAME).replace(/-$/, '') || undefined;
}

/** @returns undefined for what no model is called */
export function parseModelId(id: string): ModelId | undefined {
  const [, kind = '', name = ''] = FORM.exec(id) ?? [];
  if (name === '') return undefined;
  if (kind !== 'custom' && kind !== 'private') return { kind: 'builtin', id };
  return { kind, id, name };
}

export function customModelId(name: string): string {
  return `custom/${name}`;
}

/** @param id of a custom model, or what stands after `custom/` in it */
export function customModelName(id: string): string {
  return id.replace(/^custom\//, '');
}
