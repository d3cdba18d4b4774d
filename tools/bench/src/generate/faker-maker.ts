import { faker } from '@faker-js/faker/locale/en';

/** Generates records of persons as bytes of NDJSON. */
export interface RecordMaker {
  readonly name: string;
  /** Generates `count` records and drops their bytes. @returns the number of bytes */
  run(count: number): number;
}

const BATCH_RECORDS = 500;
const FROM = '2020-01-01T00:00:00.000Z';
const TO = '2025-01-01T00:00:00.000Z';

/**
 * Builds the peer as an experienced user of faker would write it: one locale, seeded, with lines joined and
 * encoded in batches.
 * @param email `internet` calls faker's own function; `template` joins the names like the template in our
 * schema
 */
export function fakerMaker(email: 'internet' | 'template'): RecordMaker {
  return {
    name: email === 'internet' ? 'faker' : 'faker, email as a template literal',
    run(count) {
      faker.seed(1);
      let bytes = 0;
      for (let made = 0; made < count; made += BATCH_RECORDS) {
        const lines: string[] = [];
        for (let i = Math.min(BATCH_RECORDS, count - made); i > 0; i--)
          lines.push(JSON.stringify(person(email)));
        bytes += Buffer.from(`${lines.join('\n')}\n`).length;
      }
      return bytes;
    },
  };
}

function person(email: 'internet' | 'template'): object {
  const firstName = faker.person.firstName();
  const lastName = faker.person.lastName();
  return {
    id: faker.string.uuid(),
    first_name: firstName,
    last_name: lastName,
    email:
      email === 'internet'
        ? faker.internet.email({ firstName, lastName })
        : `${firstName.toLowerCase()}.${lastName.toLowerCase()}@example.com`,
    age: faker.number.int({ min: 18, max: 90 }),
    created_at: faker.date.between({ from: FROM, to: TO }),
  };
}
