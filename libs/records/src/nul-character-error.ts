/** PostgreSQL stores no U+0000 in text. */
export class NulCharacterError extends Error {
  constructor() {
    super('the value holds U+0000, which PostgreSQL cannot store');
    this.name = 'NulCharacterError';
  }
}
