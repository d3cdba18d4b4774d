/** The kinds of personal data that a column can contain, each with its name in reports. */
export const KIND_WORDS = {
  first_name: 'first names',
  last_name: 'last names',
  full_name: 'names of persons',
  company: 'names of companies',
  email: 'e-mail addresses',
  phone: 'phone numbers',
  street: 'street addresses',
  postcode: 'postcodes',
  city: 'towns',
  card: 'payment card numbers',
  iban: 'bank accounts',
  birth_date: 'dates of birth',
  national_id: 'national identity numbers',
  ip_address: 'IP addresses',
  mac_address: 'MAC addresses',
  username: 'user names',
  secret: 'passwords, tokens or keys',
  coordinates: 'coordinates',
  free_text: 'free text',
  photo: 'pictures of persons',
  gender: 'genders',
  marital_status: 'marital statuses',
  income: 'pay or income',
  health: 'matters of health',
  belief: 'religions, parties or unions',
  origin: 'ethnic origins or nationalities',
  orientation: 'sexual orientations',
} as const;

/** The values by which a text is recognised as one about a person. */
export const MENTIONED = 'an e-mail address, a phone number or another personal value';

export type Kind = keyof typeof KIND_WORDS;

export const KINDS = Object.keys(KIND_WORDS) as readonly Kind[];
