import { findMention } from './find-mention.js';

describe('findMention', () => {
  it.each([
    ['an address at the end of a sentence', 'login u1@corp.test.'],
    ['a list of addresses', 'a@corp.test, b@corp.test'],
    ['a link', 'mailto:anna@corp.test?subject=x'],
    ['a name with an address', 'Jon Doe <u@corp.test>'],
    ['the query of a URL', 'https://x.test/?next=1&email=anna%40corp.test&x=1'],
    ['a query in a query', 'r=https%3A%2F%2Fx.test%2F%3Fq%3D1%26email%3Danna%2540corp.test'],
    ['an entity of HTML', 'write to anna&#64;corp.test'],
    [
      'a text in which every character is an entity',
      [...'ann@x.test'].map((c) => `&#${c.charCodeAt(0)};`).join(''),
    ],
    ['an entity with a name', 'anna&commat;corp.test'],
    ['an escape of JSON', String.raw`{"to": "anna\u0040corp.test"}`],
    ['JSON in a string of JSON', String.raw`{"body": "{\"to\":\"anna@corp.test\"}"}`],
    ['a word for the sign', 'anna [at] corp (dot) test'],
    ['a full-width sign', 'anna＠corp.test'],
    ['a domain in punycode', 'anna@xn--bcher-kva.xn--p1ai'],
    ['Markdown', '[anna@corp.test](x)'],
    ['a path', '/unsubscribe/anna@corp.test/now'],
    ['a line of a file, with the line number behind it', 'anna@corp.test:17'],
    ['a text with a colon behind it', 'anna@corp.test:yes/no'],
    ['a list with colons', 'anna@corp.test:bert@corp.test'],
    ['an address whose local part is a UUID', '3f2b0055-4123-4812-8123-123456789012@corp.test'],
    ['a path with an empty step', 'https://x.test/in//anna@corp.test'],
    ['a URL of a chat', 'xmpp://anna@corp.test'],
    ['a URL of a call', 'sip:anna@corp.test'],
    ['quoted-printable text', 'to anna=40corp.test, now'],
    ['an escape in octal', String.raw`anna\100corp.test`],
    ['an escape of a code point', String.raw`anna\u{40}corp.test`],
    ['an escape of UTF-16 in a URL', 'anna%u0040corp.test'],
  ])('finds an e-mail address in %s', (_, text) => {
    expect(findMention(text, true)).toBe('email');
    expect(findMention(`${'x '.repeat(2_000)}${text}${' x'.repeat(2_000)}`, true)).toBe('email');
  });

  it.each([
    ['phone', 'call +49 30 1234567 now'],
    ['phone', 'tel:%2B49301234567'],
    ['phone', 'fax (206) 555-0100.'],
    ['phone', 'call her at 206-555-0100, please'],
    ['phone', 'Tel. 0049301234567'],
    ['phone', 'Tel. 0012065550100'],
    ['phone', '001 206 555 0100'],
    ['phone', '+1 (206) 555-0100'],
    ['phone', '0049 30 1234567'],
    ['phone', '7;Anna;Berg;206-555-0100'],
    ['phone', '<td>Phone</td><td>206-555-0100</td>'],
    ['other', 'a=1&phone=206+555+0100&b=2'],
    ['other', 'pay to DE89 3704 0044 0532 0130 00, please'],
    ['other', 'her number is 219-09-9999'],
    ['other', 'card 4111-1111-1111-1111 expired'],
    ['other', '{"first_name": "Anna", "city": "Köln"}'],
    ['other', String.raw`{\"lastName\":\"Berg\"}`],
    ['other', '{"person": {"birth_date": "1980-02-01"}}'],
    ['other', '{"phone": 2065550100}'],
    ['other', "{'ssn': '219099999'}"],
    ['other', '<person><c:firstName>Anna</c:firstName></person>'],
    ['other', '<person birthDate="1980-02-01"/>'],
    ['other', '<name><![CDATA[x]]></name><surname><![CDATA[Berg]]></surname>'],
    ['other', 'id=7&vorname=Anna&x=1'],
    ['other', 'first_name=Anna last_name=Berg'],
    ['other', 'id: 7\nphone: 206 555 0100\n'],
    ['other', '"surname"=>"Berg"'],
  ])('finds a mention of the kind %s in %j', (kind, text) => {
    expect(findMention(text, true)).toBe(kind);
  });

  it.each([
    'thanks @anna and @bert.berg',
    '3f2b0055-4123-4812-8123-123456789012 7c9a1d2e-0049-1711-8007-919000000001',
    'npm@1.2.3',
    'react@18.2.0-rc.beta and @scope/name@2.0.0',
    'git@github.com:owner/name.git',
    'root@web1.corp.test:22',
    'ec2-user@web1.corp.test:~/app',
    '?limit=40&width=40px&file=40.test',
    String.raw`C:\files\100files.txt`,
    'ftp://app@host.test//path',
    'deploy@web1.corp.test:/var/www',
    'https://user:secret@host.test/path',
    'postgresql://app@db.corp.test:5432/shop',
    'logo@2x.png',
    'getty@tty1.service',
    'image@sha256:4bf5122f344554c53bde2ebb8cd2b7e3',
    '2024-01-01T10:00:00+02:00 took 12:30:15.123',
    '4111111111111112 219-09-99991 +1.25 +1.23456789',
    '3c9a+4912345678',
    '0012345678',
    'REF 00123-456-7890',
    'reference RF18 5390 0754 7034',
    'SN 0012345671',
    'SN 0012345671001',
    'lot 00999 123 4567',
    'part +1000001, +9991234567',
    '0012345678901234',
    '234-567-8901',
    'order 1234-567-8901',
    'status: open, first: yes, address: not found',
    '{"name": "invoice", "state": "new", "total": 12345678}',
    '<item><title>Lamp</title><price>12.50</price></item>',
    'first_name:',
    'SELECT first_name = $1 FROM users',
  ])('finds no mention in %j', (text) => {
    expect(findMention(text, true)).toBeUndefined();
  });

  it('waits for the rest of a mention that may continue', () => {
    expect(findMention('to anna@corp.te', false)).toBeUndefined();
    expect(findMention('to anna@corp.te', true)).toBe('email');
    expect(findMention('ssn=219-09-99', false)).toBeUndefined();
  });

  it.each(['a@', '+1 (2', '%25', '&amp;', '\\u00', 'a:b ', '<a ', '="', 'é.'])(
    'needs time in proportion to the length of a text that repeats %j',
    (unit) => {
      // A search in quadratic time would take longer than the time limit of the test.
      expect(findMention(unit.repeat(400_000), false)).toBeUndefined();
    },
  );
});
