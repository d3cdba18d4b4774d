import fc from 'fast-check';
import { KINDS } from '../kind.js';
import { WordLists } from '../values/word-lists.js';
import { detectColumn } from './detect-column.js';
import { detectUndecided } from './detect-undecided.js';
import { reasonOf } from './detection.js';

const LISTS = new WordLists(
  new Map([
    ['en_US', { first_names: ['Anna', 'John', 'Maria'], last_names: ['Smith', 'Berg'], cities: ['Boston'] }],
  ]),
);
const detect = (table: string, column: string, type: string, values: readonly string[] = []) =>
  detectColumn({ table, column, type, values }, LISTS);

const undecided = (table: string, column: string, type: string, values: readonly string[] = []) =>
  detectUndecided({ table, column, type, values }, LISTS);

describe('detectColumn', () => {
  it('trusts the name of a column unless its values contradict the name', () => {
    expect(detect('users', 'email', 'text')?.kind).toBe('email');
    expect(detect('users', 'email', 'text', ['a@b.example', 'c@d.example', ''])?.kind).toBe('email');
    expect(detect('users', 'email', 'text', ['daily', 'weekly', 'never'])).toBeUndefined();
    expect(detect('users', 'phone', 'bool')).toBeUndefined();
    const wallets = ['0x8d969eef6ecad3c29a3a629280e686cf', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '0x00e1'];
    expect(detect('users', 'address', 'text', wallets.slice(0, 2).concat(wallets))).toBeUndefined();
    expect(detect('users', 'address', 'text', ['fe80::1/64', '2001:db8::/32', 'fe80::2/64'])).toBeUndefined();
    expect(detect('users', 'address', 'text', ['fe80::1', '2001:db8::3', 'fe80::2', '::1'])?.kind).toBe(
      'ip_address',
    );
  });

  it('detects the kind from the values if the name contains no clue', () => {
    expect(detect('t', 'c', 'text', ['a@b.example', 'c@d.example'])?.kind).toBe('email');
    expect(detect('t', 'version', 'text', ['61.2.3.4', '93.0.0.1', '70.0.0.1', '80.4.4.4'])).toBeUndefined();
    expect(detect('t', 'order', 'text', ['a@b.example', 'c@d.example'])?.kind).toBe('email');
    expect(detect('t', 'message', 'text', ['ask a@b.example', 'or c@d.example'])?.kind).toBe('free_text');
    expect(detect('t', 'c', 'text', ['1.2.3.4', '2.0.0.1', '1.9.9.9', '3.1.4.1'])).toBeUndefined();
    expect(detect('t', 'c', 'inet')?.kind).toBe('ip_address');
  });

  it('trusts a name if a few values agree with it, and the others stand for missing values', () => {
    const few = (value: string, other: string) => [value, ...Array.from({ length: 30 }, () => other)];
    expect(detect('t', 'email', 'text', few('a@b.example', 'n/a'))?.kind).toBe('email');
    expect(detect('t', 'email', 'text', few('a@b.example', 'see the other system'))?.kind).toBe('email');
    expect(detect('t', 'phone', 'text', few('+49 30 1234567', 'unknown'))?.kind).toBe('phone');
    expect(detect('t', 'surname', 'text', few('Berg', '-'))?.kind).toBe('last_name');
    expect(detect('t', 'email', 'text', few('daily', 'n/a'))).toBeUndefined();
  });

  it('detects addresses in lists, in links and beside names', () => {
    for (const value of [
      'a@b.example; c@d.example',
      'mailto:a@b.example?subject=x',
      'John Doe <a@b.example>',
    ])
      expect([value, detect('t', 'c', 'text', [value, value, value])?.kind]).toEqual([value, 'email']);
  });

  it('proposes no rule for a column of which a few values mention persons, but reports it', () => {
    const values = [...Array.from({ length: 199 }, () => 'x'), 'ask a@b.example'];
    expect(detect('t', 'c', 'text', values)).toBeUndefined();
    expect(undecided('t', 'c', 'text', values)).toEqual({
      what: 'text about persons',
      obstacle:
        'less than 1 % of 200 sampled values mention an e-mail address, a phone number or another personal value, which are too few for a rule',
    });
    expect(undecided('t', 'c', 'text', ['x'])).toBeUndefined();
  });

  const SENTENCE = 'Frau Berg hat heute Morgen angerufen';
  const BESIDE_CODES = (value: string, count: number) =>
    Array.from({ length: 100 }, (_, i) => (i < count ? value : `x${i}`));

  it.each([
    ['plz', 'D-10001', 'postcode'],
    ['postcode', '１０１１５', 'postcode'],
    ['first_name', 'maria', 'first_name'],
    ['備考', '昨日電話で苦情がありました。', 'free_text'],
  ])('detects from the name %p the kind of values such as %p', (name, value, kind) => {
    expect(detect('t', name, 'text', BESIDE_CODES(value, 100))).toMatchObject({
      kind,
      because: { values: { share: 1 } },
    });
  });

  it.each([
    ['nachname', 'Berg', 40, 'keine Angabe', 'last_name'],
    ['nachname', 'Nguyen', 15, 'ohne Eintrag', 'last_name'],
    ['ort', 'Boston', 3, '-', 'city'],
    ['telefon', '+49 30 1234567', 5, 'brak', 'phone'],
    ['geburtsdatum', '02.03.1961', 20, 'N.N.', 'birth_date'],
    ['bemerkung', SENTENCE, 2, 'ok', 'free_text'],
    ['bemerkung', SENTENCE, 20, undefined, 'free_text'],
    ['strasse', 'Hauptstraße 5', 2, undefined, 'street'],
  ])(
    'gives %p a rule if of 100 values %p is %d times there, and the others are %p',
    (name, value, count, other, kind) => {
      const values = BESIDE_CODES(value, count).map((own) => (own === value ? own : (other ?? own)));
      expect(detect('t', name, 'text', values)?.kind).toBe(kind);
    },
  );

  it.each([
    ['ort', 'text', '10001 Berlin', 'towns'],
    ['telefon', 'text', 'Tel. 030-1234', 'phone numbers'],
    ['geburtsdatum', 'text', '2. März 1961', 'dates of birth'],
    ['email', 'text', 'anna@localhost', 'e-mail addresses'],
    ['passphrase', 'text', 'my dog eats', 'passwords, tokens or keys'],
    ['linkedin', 'text', 'https://social.test/in/anna', 'user names'],
    ['x_forwarded_for', 'text', '81.2.69.1, 10.0.0.1', 'IP addresses'],
    ['nachname', 'text', 'frau (neu) 7', 'last names'],
    ['vorname', 'text', 'q-77', 'first names'],
    ['salary', 'money', '', 'pay or income'],
    ['client_ip', 'int8', '1359101441', 'IP addresses'],
    ['hiv_status', 'bool', '', 'matters of health'],
    ['wohnort', 'polygon', '', 'towns'],
    ['medical_history', 'json', '', 'free text'],
  ])('lists a column %p of type %s with values such as %p to decide', (name, type, value, what) => {
    const values = value === '' ? [] : BESIDE_CODES(value, 100).map((text, i) => (i < 2 ? 'x' : text));
    expect(detect('t', name, type, values)).toBeUndefined();
    expect(undecided('t', name, type, values)?.what).toBe(what);
  });

  it.each([
    ['geburtsdatum_oma', 'date', '1961-03-02', 'dates of birth'],
    ['passwort_portal', 'text', 'YM5S7GSXZ', 'passwords, tokens or keys'],
    ['kennwort_klartext', 'text', 'YM5S7GSXZ', 'passwords, tokens or keys'],
    ['api_token_stripe', 'text', '8d969eef6ecad3c29a3a629280e686cf', 'passwords, tokens or keys'],
    ['telefon_oma', 'text', '0178 4407571', 'phone numbers'],
    ['konfession_oma', 'text', 'ev', 'religions, parties or unions'],
    ['diagnose_sek', 'text', 'G96.7', 'matters of health'],
    ['einkommen_oma', 'money', '', 'pay or income'],
    ['dob_range', 'daterange', '', 'dates of birth'],
    ['strasse_lager', 'text', 'Am Bach', 'street addresses'],
  ])(
    'lists a column %p of type %s, only a part of whose name is a clue, to decide',
    (name, type, value, what) => {
      const values = value === '' ? [] : BESIDE_CODES(value, 100);
      expect(detect('t', name, type, values)).toBeUndefined();
      expect(undecided('t', name, type, values)?.what).toBe(what);
    },
  );

  it.each([
    ['birthday_kid', 'date', '2015-03-02', 'birth_date'],
    ['date_naiss_conjoint', 'date', '1961-03-02', 'birth_date'],
    ['fecha_nac_hijo', 'date', '2015-03-02', 'birth_date'],
    ['data_urodzenia_dziecka', 'date', '2015-03-02', 'birth_date'],
    ['birth_ts', 'timestamptz', '1961-03-02 00:00:00+00', 'birth_date'],
    ['religion_partner', 'text', 'ev', 'belief'],
    ['tel_domicile', 'text', '01 42 68 53 00', 'phone'],
    ['lön', 'numeric', '32000', 'income'],
  ])('detects in a column %p of type %s with %p the kind %p', (name, type, value, kind) => {
    expect(detect('t', name, type, BESIDE_CODES(value, 100))?.kind).toBe(kind);
  });

  it.each([
    ['api_token_count', 'int4', '12345678'],
    ['password_changed_at', 'timestamptz', '1990-03-02 00:00:00+00'],
    ['birth_date_verified', 'bool', 't'],
    ['birthday_reminder', 'timestamptz', '2024-03-02 00:00:00+00'],
    ['phone_model', 'text', 'Model 12345678'],
    ['email_status', 'text', 'sent'],
    ['token_issuer', 'text', 'https://issuer.test'],
    ['nombre_producto', 'text', 'Anna Smith'],
    ['nombre_articulo', 'text', 'Maria Berg'],
    ['message_id', 'text', '<7b7b.92@mx6.mail.example>'],
    ['in_reply_to', 'text', '<7b7b.92@mx6.mail.example>'],
  ])('lists a column %p of type %s with %p neither as personal nor to decide', (name, type, value) => {
    const values = BESIDE_CODES(value, 100);
    expect([detect('t', name, type, values), undecided('t', name, type, values)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['text', '4111111111111111', 'payment card numbers'],
    ['int8', '5555555555554444', 'payment card numbers'],
    ['text', '81.2.69.160', 'IP addresses'],
    ['text', '3c:22:fb:86:0f:01', 'MAC addresses'],
    ['text', 'Hauptstraße 5', 'street addresses'],
    ['text', 'ghp_8d969eef6ecad3c29a3a629280e686cf', 'passwords, tokens or keys'],
    ['text', 'Anna Smith', 'names of persons'],
  ])('lists a column of type %s to decide if a fifth of its values are such as %p', (type, value, what) => {
    const codes = (count: number) =>
      BESIDE_CODES(value, count).map((own, i) => (own === value ? own : `${i}`));
    expect(detect('t', 'c', type, codes(20))).toBeUndefined();
    expect(undecided('t', 'c', type, codes(20))).toEqual({
      what,
      obstacle: '20 % of 100 sampled values are of this kind, which are too few for a rule',
    });
    expect(undecided('t', 'c', type, codes(10))).toBeUndefined();
    expect(undecided('t', 'order_hash', type, codes(20))).toBeUndefined();
  });

  it('lists a column that names a single person to decide', () => {
    expect(detect('firma', 'inhaberin', 'text', ['Anna Smith'])).toBeUndefined();
    expect(undecided('firma', 'x', 'text', ['Anna Smith'])?.what).toBe('names of persons');
    expect(undecided('products', 'x', 'text', ['Anna Smith'])).toBeUndefined();
  });

  it.each([
    ['kd_mail', 'text', 'e-mail addresses'],
    ['x_card', 'int8', 'payment card numbers'],
    ['telefon_oma', 'varchar', 'phone numbers'],
    ['given', 'text', 'first names'],
    ['acct', 'text', 'bank accounts'],
    ['dob_epoch', 'int8', 'dates of birth'],
  ])('lists an empty column %p of type %s to decide if its name is a hint', (name, type, what) => {
    expect(detect('t', name, type)).toBeUndefined();
    expect(undecided('t', name, type)).toEqual({
      what,
      obstacle: 'only a hint in its name indicates this, and no value was read',
    });
  });

  it.each([
    ['t', 'name', 'text'],
    ['t', 'description', 'text'],
    ['products', 'image', 'text'],
    ['products', 'contact', 'text'],
    ['t', 'last', 'date'],
  ])('lists no empty column of %s that is called %p, whose name has many meanings', (table, name, type) => {
    expect(undecided(table, name, type)).toBeUndefined();
  });

  it('reports the share of the values that agree with a name', () => {
    const values = BESIDE_CODES('Nguyen', 30);
    expect(undecided('t', 'nachname', 'text', values)?.obstacle).toBe(
      'only 30 % of 100 sampled values agree with its name',
    );
  });

  it.each([
    ['email', ['true', 'false']],
    ['phone', ['mobile', 'home', 'work']],
    ['ssn', ['3f2b0055-4123-4812-8123-123456789012', '4f2b0055-4123-4812-8123-123456789012']],
    ['address', ['0x00e1', '0x8d969eef…9f3c', 'sha256:8d969eef6ecad3c2']],
    ['ort', ['n/a', '-']],
    ['comment', ['draft', 'final']],
  ])('lists a column %p with the technical values %j neither as personal nor to decide', (name, some) => {
    const values = Array.from({ length: 30 }, (_, i) => some[i % some.length] ?? '');
    expect([detect('t', name, 'text', values), undecided('t', name, 'text', values)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('proposes no rule for technical texts that resemble addresses', () => {
    const lines = ['npm@1.2.3', 'git@github.com:a/b.git', 'ssh://git@host.test/a', '@anna', 'logo@2x.png'];
    for (const line of lines) {
      const values = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? line : `see ${line} now`));
      expect([line, detect('t', 'c', 'text', values)]).toEqual([line, undefined]);
    }
  });

  it.each([
    ['phone', '+49 30 12345%d'],
    ['phone', '+1 206 555 01%d'],
    ['phone', '0049 30 12345%d'],
    ['phone', '(030) 12345%d'],
    ['phone', '(206) 555-01%d'],
    ['phone', '(11) 91234-51%d'],
    ['phone', '(01234) 5678%d'],
    ['street', 'Elm Street %d'],
    ['street', '%d elm st'],
    ['street', 'Main St. %d'],
    ['street', 'ul. Polna %d'],
    ['street', 'Calle Mayor, %d'],
    ['street', 'Via Roma %d'],
    ['ip_address', '2001:db8::%d'],
    [undefined, 'fe80::%d/64'],
    [undefined, '00123456710%d'],
    [undefined, '+10000%d'],
    [undefined, '+99912345%d'],
    [undefined, '(123) 45-12%d'],
    [undefined, '(12345) 6789%d'],
    [undefined, 'at st 12:%d'],
    [undefined, 'via %d hops'],
    [undefined, 'pl %d'],
  ])('detects the kind %p in values such as %p without a clue in the name', (kind, form) => {
    const values = Array.from({ length: 30 }, (_, i) => form.replace('%d', String(10 + i)));
    const found = detect('t', 'c', 'text', values)?.kind;
    expect(found).toBe(kind);
  });

  it('detects special categories from names and unambiguous words, but not in tables about things', () => {
    expect(detect('staff', 'geschlecht', 'bpchar', ['m', 'w', 'd'])?.kind).toBe('gender');
    expect(detect('staff', 'x', 'text', ['male', 'female', 'female', 'male'])?.kind).toBe('gender');
    expect(detect('staff', 'x', 'text', ['single', 'single', 'single', 'single'])).toBeUndefined();
    expect(detect('products', 'gender', 'text', ['men', 'women', 'men'])).toBeUndefined();
    expect(detect('income_statement', 'income', 'numeric', ['1', '2', '3'])).toBeUndefined();
    expect(detect('patients', 'diagnosis', 'text', ['Asthma', 'Migraine', 'Gout'])?.kind).toBe('health');
  });

  it('gives a reason that contains no value', () => {
    const found = detect('users', 'email', 'text', ['canary@b.example', 'x', 'c@d.example', 'e@f.example']);
    if (found === undefined) throw new Error('expected an e-mail column to be detected');
    expect(reasonOf(found)).toBe('its name, and 75 % of 4 sampled values look like e-mail addresses');
  });

  it('returns a known kind or undefined for any name, type and values', () => {
    const words = fc.constantFrom(
      'email',
      'name',
      'phone',
      'iban',
      'notes',
      'is',
      'id',
      'x',
      'photo',
      'birth',
      '名',
      '_',
      '9',
    );
    const name = fc.array(words, { maxLength: 5 }).map((parts) => parts.join('_'));
    const type = fc.constantFrom(
      'text',
      'int8',
      'numeric',
      'date',
      'inet',
      'bytea',
      'point',
      'uuid',
      'json',
      'mood',
    );
    const hostile = fc.constantFrom(
      '1'.repeat(5_000),
      ' '.repeat(5_000),
      'a@'.repeat(2_000),
      '+1 (2'.repeat(900),
      '1.'.repeat(900),
      '-'.repeat(900),
    );
    const values = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), hostile), { maxLength: 20 });
    fc.assert(
      fc.property(name, name, type, values, (table, column, sqlType, texts) => {
        const found = detectColumn({ table, column, type: sqlType, values: texts }, LISTS);
        if (found !== undefined) expect(KINDS).toContain(found.kind);
      }),
    );
  });
});
