import type { Catalog } from '../worker/messages.js';

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

/** Replaces the built-in models that a schema names by those of another locale. Keeps a model that it lacks. */
export function changeLocale(schema: string, locale: string, models: Models): string {
  return schema.replaceAll(MODEL_ID, (written, _: string, name: string) =>
    models.some(({ id }) => id === `${locale}/${name}`) ? `"${locale}/${name}"` : written,
  );
}
