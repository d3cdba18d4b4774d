import { builtinModels } from '@understudy/builtin-models/node';
import { compileWord, readModel, type WordPlan } from '@understudy/ngram';
import { deriveKey, RandomStream, rootKey, type Key } from '@understudy/random';

export interface ShopSize {
  readonly customers: number;
  readonly orders: number;
}

/** A table and its rows. */
export interface ShopTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Computes the values of `columns` in row `index`, counted from 0. The same index always gives the same row. */
  readonly row: (index: number) => readonly (string | null)[];
}

const PRODUCTS = 500;
const STREETS = [
  'Maple',
  'Oak',
  'Cedar',
  'Pine',
  'Elm',
  'Walnut',
  'Willow',
  'Birch',
  'Chestnut',
  'Juniper',
  'Spruce',
  'Laurel',
];
const SUFFIXES = ['Street', 'Avenue', 'Road', 'Lane', 'Court', 'Drive', 'Way', 'Terrace'];
const CITIES = [
  'Springfield',
  'Riverton',
  'Fairview',
  'Georgetown',
  'Salem',
  'Madison',
  'Clinton',
  'Arlington',
  'Ashland',
  'Dover',
];
const TRADES = ['Logistics', 'Foods', 'Textiles', 'Software', 'Engineering', 'Partners', 'Design', 'Energy'];
const GOODS = [
  'Lamp',
  'Chair',
  'Kettle',
  'Backpack',
  'Notebook',
  'Desk',
  'Mug',
  'Blanket',
  'Bottle',
  'Clock',
];
const LOOKS = ['oak', 'steel', 'linen', 'ceramic', 'matte', 'copper', 'wool', 'glass'];
const NOTES = [
  'Happy birthday!',
  'With love from all of us',
  'Please ring twice',
  'Thank you for everything',
];
const STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'delivered', 'delivered', 'returned'];
const LAST_NAME_POOL = 400;

/**
 * Describes the tables of the shop, sorted so that each table follows the tables that it references. The same
 * size gives the same rows.
 */
export function shopTables(size: ShopSize): readonly ShopTable[] {
  const firstNames = names('en_US/first_names');
  const lastNames = names('en_US/last_names');
  const root = rootKey('shop', 1);
  const random = new RandomStream();
  const start = (table: Key, index: number): void => void random.seek(table, index);
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;
  const digits = (count: number): string => String(random.below(10 ** count)).padStart(count, '0');

  const customers = deriveKey(root, 'customers');
  const addresses = deriveKey(root, 'addresses');
  const products = deriveKey(root, 'products');
  const orders = deriveKey(root, 'orders');
  const items = deriveKey(root, 'order_items');

  const founders = Array.from({ length: LAST_NAME_POOL }, (_, index) => {
    start(deriveKey(root, 'founders'), index);
    return lastNames.sample(random);
  });

  return [
    {
      name: 'customers',
      columns: [
        'first_name',
        'last_name',
        'email',
        'phone',
        'company',
        'date_of_birth',
        'preferences',
        'created_at',
      ],
      rows: size.customers,
      row(index) {
        start(customers, index);
        const first = firstNames.sample(random);
        const last = lastNames.sample(random);
        const email = `${first}.${last}${index}@mail.example`.toLowerCase().replaceAll(' ', '');
        const phone = random.below(10) === 0 ? null : `+1 ${digits(3)} 555 ${digits(4)}`;
        const company =
          random.below(3) === 0 ? `${pick(founders)} & ${pick(founders)} ${pick(TRADES)}` : null;
        const birth = `${1940 + random.below(65)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
        const preferences = `{"newsletter": ${random.below(2) === 1}, "theme": "${pick(['light', 'dark'])}", "sizes": [${random.below(20)}]}`;
        return [first, last, email, phone, company, birth, preferences, instant(random, 2021)];
      },
    },
    {
      name: 'addresses',
      columns: ['customer_id', 'kind', 'street', 'city', 'postal_code', 'country'],
      rows: size.customers,
      row(index) {
        start(addresses, index);
        const street = `${1 + random.below(9999)} ${pick(STREETS)} ${pick(SUFFIXES)}`;
        return [`${index + 1}`, pick(['home', 'home', 'work']), street, pick(CITIES), digits(5), 'US'];
      },
    },
    {
      name: 'products',
      columns: ['sku', 'name', 'price', 'tags', 'attributes'],
      rows: PRODUCTS,
      row(index) {
        start(products, index);
        const look = pick(LOOKS);
        const good = pick(GOODS);
        const price = `${1 + random.below(300)}.${two(random.below(100))}`;
        const attributes = `{"weight_g": ${50 + random.below(5000)}, "material": "${look}"}`;
        return [
          `SKU-${String(index).padStart(5, '0')}`,
          `${look} ${good}`,
          price,
          `{${look},${good.toLowerCase()}}`,
          attributes,
        ];
      },
    },
    {
      name: 'orders',
      columns: ['customer_id', 'shipping_address_id', 'status', 'placed_at', 'gift_note'],
      rows: size.orders,
      row(index) {
        start(orders, index);
        const customer = `${1 + random.below(size.customers)}`; // customer n has address n
        const note = random.below(12) === 0 ? pick(NOTES) : null;
        return [customer, customer, pick(STATUSES), instant(random, 2023), note];
      },
    },
    {
      name: 'order_items',
      columns: ['order_id', 'line', 'product_id', 'quantity', 'unit_price'],
      rows: size.orders * 2,
      row(index) {
        start(items, index);
        const price = `${1 + random.below(300)}.${two(random.below(100))}`;
        return [
          `${1 + (index >>> 1)}`,
          `${1 + (index & 1)}`,
          `${1 + random.below(PRODUCTS)}`,
          `${1 + random.below(4)}`,
          price,
        ];
      },
    },
  ];
}

function names(id: string): WordPlan {
  const bytes = builtinModels.readModel(id);
  if (bytes === undefined)
    throw new Error(`expected the built-in model ${id}, found none; run npm run build`);
  return compileWord(readModel(bytes), {});
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Generates a time within three years, beginning on 1 January of `year`. */
function instant(random: RandomStream, year: number): string {
  const day = `${year + random.below(3)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
  return `${day} ${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}+00`;
}
