import { readName, subjectOf } from './read-name.js';
import { wordsOfName } from './words-of-name.js';

describe('wordsOfName', () => {
  it.each([
    ['customerEMail2', ['customer', 'e', 'mail']],
    ['Straße_Nr', ['strasse', 'nr']],
    ['HTTPClientIP', ['http', 'client', 'ip']],
    ['prénom', ['prenom']],
    ['lön', ['loen']],
    ['address-line.1', ['address', 'line']],
    ['42', ['42']],
    ['', []],
  ])('splits %p into %j', (name, words) => {
    expect(wordsOfName(name)).toEqual(words);
  });
});

describe('readName', () => {
  const strongest = (name: string): string => {
    const [first] = [...readName(name).clues].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
    return first === undefined ? 'nothing' : `${first[1]} ${first[0]}`;
  };

  it.each([
    ['first_name', 'strong first_name'],
    ['firstName', 'strong first_name'],
    ['fname', 'strong first_name'],
    ['kundennachname', 'strong last_name'],
    ['kundeNachname', 'strong last_name'],
    ['customerFirstName', 'strong first_name'],
    ['cust_email_addr', 'strong email'],
    ['dob_customer', 'strong birth_date'],
    ['comment_author', 'weak full_name'],
    ['gender_id', 'nothing'],
    ['correo_electronico', 'strong email'],
    ['emailAddress', 'strong email'],
    ['address_email', 'strong email'],
    ['password_hash', 'strong secret'],
    ['plz', 'strong postcode'],
    ['lön', 'strong income'],
    ['lon', 'strong coordinates'],
    ['tel_domicile', 'strong phone'],
    ['domicile', 'strong street'],
    ['telefon_ehegatte', 'strong phone'],
    ['date_of_birth_of_child', 'strong birth_date'],
    ['dateOfBirth2nd', 'strong birth_date'],
    ['birth_ts', 'strong birth_date'],
    ['birth_date_verified', 'nothing'],
    ['passwort_portal', 'weak secret'],
    ['geb', 'strong birth_date'],
    ['dob_year', 'strong birth_date'],
    ['date_of_birth', 'strong birth_date'],
    ['codice_fiscale', 'strong national_id'],
    ['last_login_ip', 'strong ip_address'],
    ['生年月日', 'strong birth_date'],
    ['name', 'weak full_name'],
    ['address_country', 'weak street'],
    ['email_verified_at', 'nothing'],
    ['is_phone_public', 'nothing'],
    ['phone_type', 'nothing'],
    ['token_count', 'nothing'],
    ['automobile', 'nothing'],
    ['quantity', 'nothing'],
  ])('finds in %p the strongest clue %p', (name, clue) => {
    expect(strongest(name)).toBe(clue);
  });
});

describe('subjectOf', () => {
  it('is decided by the last word that means a person or a thing', () => {
    expect(subjectOf(['product', 'customer'])).toBe('person');
    expect(subjectOf(['customer', 'product'])).toBe('thing');
    expect(subjectOf(['zzz'])).toBeUndefined();
  });
});
