export type ModelId =
  | { readonly kind: 'builtin'; readonly id: string }
  | { readonly kind: 'custom' | 'private'; readonly id: string; readonly name: string };

const FORM = /^([A-Za-z0-9_.-]{1,64})\/([A-Za-z0-9_.-]{1,128})$/;

/** What a name of a custom model looks like; also a check of the table. */
export const CUSTOM_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

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

/** @param id of a custom model */
export function customModelName(id: string): string {
  return id.slice('custom/'.length);
}
