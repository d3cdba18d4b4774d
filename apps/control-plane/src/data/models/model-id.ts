import { slug } from '@understudy/expression';

export type ModelId =
  | { readonly kind: 'builtin'; readonly id: string }
  | { readonly kind: 'custom' | 'private'; readonly id: string; readonly name: string };

const FORM = /^([A-Za-z0-9_.-]{1,64})\/([A-Za-z0-9_.-]{1,128})$/;

/** The form of the name after `custom/` in an id. A check constraint of the table repeats it. */
export const CUSTOM_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** The form of the id in an upload: a name with or without `custom/`. */
export const GIVEN_ID = /^(custom\/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

const LONGEST_NAME = 128;

/**
 * @returns the name after `custom/` in the id: `name` itself, or a slug of it; undefined if the slug is empty
 */
export function idNameOf(name: string): string | undefined {
  if (CUSTOM_NAME.test(name)) return name;
  return slug(name).slice(0, LONGEST_NAME).replace(/-$/, '') || undefined;
}

/** @returns undefined if no model can have this id */
export function parseModelId(id: string): ModelId | undefined {
  const [, kind = '', name = ''] = FORM.exec(id) ?? [];
  if (name === '') return undefined;
  if (kind !== 'custom' && kind !== 'private') return { kind: 'builtin', id };
  return { kind, id, name };
}

export function customModelId(name: string): string {
  return `custom/${name}`;
}

/** @param id the id of a custom model, with or without `custom/` */
export function customModelName(id: string): string {
  return id.replace(/^custom\//, '');
}
