import type { Catalog } from '../../engine/worker/messages.js';

type Models = Catalog['models'];

/** Matches the id of a model as a complete JSON string. */
const MODEL_ID = /"([a-z]{2}_[A-Z]{2})\/(\w+)"/g;

/** Returns the locale of the first built-in model that a schema names, or undefined. */
export function localeOf(schema: string, models: Models): string | undefined {
  for (const [, locale, name] of schema.matchAll(MODEL_ID))
    if (models.some(({ id }) => id === `${locale}/${name}`)) return locale;
  return undefined;
}

/** Returns the locales of the built-in models, sorted. */
export function localesOf(models: Models): string[] {
  return [...new Set(models.map(({ locale }) => locale))].sort();
}

/**
 * Replaces the built-in models that a schema names by those of another locale. If the last names of that locale have a
 * form for each sex, the names are of one sex. Keeps a model that the locale lacks.
 */
export function changeLocale(schema: string, locale: string, models: Models): string {
  const isThere = (name: string) => models.some(({ id }) => id === `${locale}/${name}`);
  const names = [...schema.matchAll(MODEL_ID)].map(([, , name = '']) => name);
  const sex = isThere('female_last_names') ? sexOf(names) : '';
  return schema.replaceAll(MODEL_ID, (written, _: string, name: string) => {
    const forms = [isGeneral(name) ? sex + name : name, name.replace(SEX, '')];
    const found = forms.find(isThere);
    return found === undefined ? written : `"${locale}/${found}"`;
  });
}

const SEX = /^(?:fe)?male_/;

function isGeneral(name: string): boolean {
  return name === 'first_names' || name === 'last_names';
}

/** Returns the sex of all persons whose first and last names a schema generates, or '' if there is no such sex. */
function sexOf(names: readonly string[]): string {
  if (!names.includes('last_names')) return '';
  const firstNames = names.filter((name) => name.replace(SEX, '') === 'first_names');
  const [sex = '', ...others] = new Set(firstNames.map((name) => SEX.exec(name)?.[0] ?? 'female_'));
  return others.length === 0 ? sex : '';
}
