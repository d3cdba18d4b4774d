import type { Kind } from '../kind.js';
import { isCardNumber, isIban, looksLikeAccount, looksLikeCard } from '../values/bank.js';
import {
  isEmailList,
  isPostcode,
  isStreet,
  isWrittenAsPhone,
  looksLikePhone,
  looksLikeStreet,
  looksLikeTown,
} from '../values/contact.js';
import {
  isAmount,
  isCategory,
  isDiseaseCode,
  isUnambiguousCategory,
  type CategoryKind,
} from '../values/categories.js';
import { couldBeBirth } from '../values/dates.js';
import { looksLikeIdNumber, NATIONAL_IDS } from '../values/national-ids.js';
import { isDegree, isHardlyVersion, isIp, isMac, isCoordinatePair } from '../values/network.js';
import { isFirstName, isFullName, isLastName, looksLikeName } from '../values/person-names.js';
import { hasWords, isPictureLocation, isProse } from '../values/prose.js';
import { isOpaque, isSecret, looksLikeSecret, looksLikeUsername } from '../values/secrets.js';
import type { WordLists } from '../values/word-lists.js';
import type { TypeGroup } from './type-group.js';

type Test = (text: string, lists: WordLists) => boolean;

/** The tests that show whether values belong to a kind. */
export interface KindTest {
  /** The groups of types that the kind can have. */
  readonly types: readonly TypeGroup[];
  /** Accepts every value that occurs in columns of the kind, and also other values. */
  readonly loose: Test;
  /** Accepts only values that rarely mean anything else. */
  readonly strict: Test;
}

/**
 * The shares of the inspected values that must pass a kind's tests. With a minimum above 1, no share is
 * sufficient.
 */
export interface KindShares {
  /** A strong clue in the name is rejected if fewer than this share of the values pass `loose`. */
  readonly confirm: number;
  /** A weak clue in the name is accepted if at least this share of the values pass `strict`. */
  readonly hint: number;
  /**
   * Without a clue in the name, this share of the values, and at least `least` values, must pass `strict`.
   * Absent if the kind always needs a clue in the name.
   */
  readonly valuesOnly?: { readonly share: number; readonly least: number };
}

export const KIND_TESTS: Readonly<Record<Kind, KindTest>> = {
  email: { types: ['text'], loose: isEmailList, strict: isEmailList },
  iban: { types: ['text', 'number'], loose: looksLikeAccount, strict: isIban },
  card: { types: ['text', 'number'], loose: looksLikeCard, strict: isCardNumber },
  mac_address: { types: ['text', 'mac'], loose: isMac, strict: isMac },
  ip_address: { types: ['text', 'inet'], loose: isIp, strict: isHardlyVersion },
  national_id: {
    types: ['text', 'number'],
    loose: looksLikeIdNumber,
    strict: (text) => NATIONAL_IDS.some((id) => id.test(text)),
  },
  secret: {
    types: ['text', 'binary'],
    loose: looksLikeSecret,
    strict: (text) => isSecret(text) || isOpaque(text),
  },
  birth_date: { types: ['text', 'date', 'number'], loose: couldBeBirth, strict: couldBeBirth },
  phone: { types: ['text', 'number'], loose: looksLikePhone, strict: isWrittenAsPhone },
  street: { types: ['text', 'number'], loose: looksLikeStreet, strict: isStreet },
  postcode: { types: ['text', 'number'], loose: isPostcode, strict: isPostcode },
  city: {
    types: ['text'],
    loose: looksLikeTown,
    strict: (text, lists) => lists.has('cities', text.trim()),
  },
  coordinates: {
    types: ['text', 'number', 'location'],
    loose: (text) =>
      isDegree(text) || isCoordinatePair(text) || /^[0-9A-F]{20,}$/i.test(text) || /^POINT/i.test(text),
    strict: isCoordinatePair,
  },
  photo: { types: ['text', 'binary'], loose: isPictureLocation, strict: isPictureLocation },
  full_name: { types: ['text'], loose: looksLikeName, strict: isFullName },
  first_name: { types: ['text'], loose: looksLikeName, strict: isFirstName },
  last_name: { types: ['text'], loose: looksLikeName, strict: isLastName },
  company: {
    types: ['text'],
    loose: (text) => /\p{L}{2}/u.test(text) && !/[@{}<>]|:\/\//.test(text),
    strict: (text) => COMPANY.test(text),
  },
  username: { types: ['text'], loose: looksLikeUsername, strict: looksLikeUsername },
  free_text: { types: ['text'], loose: hasWords, strict: isProse },
  gender: { ...category('gender'), types: ['text', 'number'] },
  marital_status: { ...category('marital_status'), types: ['text', 'number'] },
  belief: category('belief'),
  origin: category('origin'),
  orientation: category('orientation'),
  health: {
    types: ['text', 'number'],
    loose: (text) => text.length <= 200,
    strict: (text) => isUnambiguousCategory('health', text) || isDiseaseCode(text) || NUMBER.test(text),
  },
  income: { types: ['text', 'number'], loose: isAmount, strict: isAmount },
};

export const KIND_SHARES: Readonly<Record<Kind, KindShares>> = {
  email: { confirm: 0.2, hint: 0.1, valuesOnly: { share: 0.5, least: 1 } },
  iban: { confirm: 0.4, hint: 0.6, valuesOnly: { share: 0.8, least: 2 } },
  card: { confirm: 0.4, hint: 0.7, valuesOnly: { share: 0.9, least: 4 } },
  mac_address: { confirm: 0.5, hint: 0.7, valuesOnly: { share: 0.9, least: 2 } },
  ip_address: { confirm: 0.4, hint: 0.6, valuesOnly: { share: 0.85, least: 4 } },
  national_id: { confirm: 0.5, hint: 0.8, valuesOnly: { share: 0.95, least: 5 } },
  secret: { confirm: 0.5, hint: 1.1, valuesOnly: { share: 0.7, least: 2 } },
  birth_date: { confirm: 0.5, hint: 1.1 },
  phone: { confirm: 0.4, hint: 0.6, valuesOnly: { share: 0.8, least: 4 } },
  street: { confirm: 0.5, hint: 0.5, valuesOnly: { share: 0.6, least: 4 } },
  postcode: { confirm: 0.5, hint: 0.7 },
  city: { confirm: 0.6, hint: 0.25 },
  coordinates: { confirm: 0.7, hint: 0.8 },
  photo: { confirm: 0.4, hint: 0.8 },
  full_name: { confirm: 0.5, hint: 0.4, valuesOnly: { share: 0.75, least: 6 } },
  first_name: { confirm: 0.5, hint: 0.5, valuesOnly: { share: 0.85, least: 8 } },
  last_name: { confirm: 0.5, hint: 0.5, valuesOnly: { share: 0.9, least: 10 } },
  company: { confirm: 0.6, hint: 0.3 },
  username: { confirm: 0.5, hint: 1.1 },
  free_text: { confirm: 0.25, hint: 1.1, valuesOnly: { share: 1.1, least: 1 } },
  gender: { confirm: 0.6, hint: 0.6, valuesOnly: { share: 0.9, least: 4 } },
  marital_status: { confirm: 0.6, hint: 0.6, valuesOnly: { share: 0.9, least: 4 } },
  belief: { confirm: 0.6, hint: 0.6 },
  origin: { confirm: 0.6, hint: 0.6 },
  orientation: { confirm: 0.6, hint: 0.6 },
  health: { confirm: 0.5, hint: 0.6 },
  income: { confirm: 0.5, hint: 0.9 },
};

/**
 * Returns the test for a kind whose values are words or codes. Rejects numbers of two or more digits, which
 * are usually ids.
 */
function category(kind: CategoryKind): KindTest {
  return {
    types: ['text'],
    loose: (text) => isCategory(kind, text) || CATEGORY.test(text),
    strict: (text) => isUnambiguousCategory(kind, text),
  };
}

const CATEGORY = /^(?:[\p{L}\p{M}][\p{L}\p{M} ./'()-]{0,39}|--|\d)$/u;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;

const COMPANY =
  /(?:^|[\s,&])(?:inc|llc|ltd|limited|plc|corp|corporation|co|company|group|holding|holdings|partners|gmbh|ag|kg|ug|ohg|e\.?k|se|s\.?a\.?s?|sarl|s\.?l\.?|s\.?p\.?a|s\.?r\.?l|ltda|eireli|b\.?v|n\.?v|v\.?o\.?f|ab|oy|oyj|a\/s|aps|sp\. z o\.o|s\.c|s\.r\.o|a\.s|ооо|ип|株式会社|有限会社)\.?(?:$|[\s,)])|& (?:Sons|Söhne|Co)|株式会社/iu;
