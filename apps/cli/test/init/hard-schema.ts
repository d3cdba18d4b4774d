/**
 * A schema for which rules are hard to propose. It has constraints that reject many rules, keys that contain
 * e-mail addresses, and columns with misleading names.
 */
export const HARD_SCHEMA = `
CREATE EXTENSION citext;
CREATE SCHEMA "Odd Schema";
CREATE DOMAIN email_address AS text CHECK (VALUE ~ '^[^@ ]+@[^@ ]+[.][a-z]+$');
CREATE TYPE mood AS ENUM ('happy', 'sad');

CREATE TABLE accounts (
  email citext PRIMARY KEY,
  login varchar(12) NOT NULL UNIQUE,
  first varchar(40), n int, phone varchar(9), d text,
  mobile text CHECK (mobile ~ '^[0-9]{10}$'),
  password_hash char(60) NOT NULL,
  birth_date date CHECK (birth_date > '1900-01-01' AND birth_date < current_date),
  plz char(5) CHECK (plz ~ '^[0-9]{5}$'),
  iban text UNIQUE, card_number text, ssn char(11),
  last_ip inet, wifi_mac macaddr, lat numeric(8,6), photo bytea NOT NULL,
  name_upper text GENERATED ALWAYS AS (upper(first)) STORED,
  mood mood, gender char(1) CHECK (gender IN ('f', 'm')),
  emails text[] NOT NULL, search tsvector, notes text,
  profile jsonb
);
INSERT INTO accounts (email, login, first, n, phone, d, mobile, password_hash, birth_date, plz, iban, card_number, ssn, last_ip, wifi_mac, lat, photo, mood, gender, emails, notes, profile)
SELECT 'anna.' || i || '@mail.example', 'anna' || i, (ARRAY['Anna','Maria','John','Peter'])[1 + i % 4], i, '555' || lpad(i::text, 6, '0'), 'x',
       lpad((5550000000 + i)::text, 10, '0'), '$2b$12$' || rpad(md5(i::text), 53, 'x'), date '1960-01-01' + i * 30, lpad((10000 + i)::text, 5, '0'),
       'DE' || lpad(i::text, 20, '0'), '4111 1111 1111 1111', '123-45-' || lpad(i::text, 4, '0'), ('93.184.216.' || i % 250)::inet,
       ('3c:22:fb:86:0f:' || lpad(to_hex(i % 250), 2, '0'))::macaddr, 52.5 + i / 1000.0, '\\x00', 'happy', 'f',
       ARRAY['anna.' || i || '@mail.example', 'b' || i || '@mail.example'], 'Please call her at home after six',
       jsonb_build_object('contact', jsonb_build_object('email', 'anna.' || i || '@mail.example', 'tags', '[1,2]'::jsonb),
                          'phones', jsonb_build_array(jsonb_build_object('number', '+49 30 ' || 1000000 + i)), 'theme', 'dark', 'odd.key', 'nobody')
  FROM generate_series(1, 300) AS i;

CREATE TABLE logins (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account citext REFERENCES accounts (email), at timestamptz NOT NULL DEFAULT now(), client_ip text
);
INSERT INTO logins (account, client_ip) SELECT 'anna.' || 1 + i % 300 || '@mail.example', '81.2.69.' || i % 250 FROM generate_series(1, 500) AS i;

CREATE TABLE "Odd Schema"."Contact ""List""" (
  "E-Mail" email_address NOT NULL, "Full
Name" text, "select" int, UNIQUE ("E-Mail", "select")
);
INSERT INTO "Odd Schema"."Contact ""List""" SELECT 'a' || i || '@mail.example', 'Anna Schmidt', i FROM generate_series(1, 20) AS i;

CREATE TABLE persons (id int, birth_date date NOT NULL, surname text, PRIMARY KEY (id, birth_date)) PARTITION BY RANGE (birth_date);
CREATE TABLE persons_old PARTITION OF persons FOR VALUES FROM ('1900-01-01') TO ('1980-01-01');
CREATE TABLE persons_new PARTITION OF persons FOR VALUES FROM ('1980-01-01') TO ('2030-01-01');
INSERT INTO persons SELECT i, date '1970-01-01' + i * 100, 'Schmidt' FROM generate_series(1, 100) AS i;

CREATE TABLE stubborn (id int PRIMARY KEY, email text NOT NULL CHECK (email = 'only@this.example'));
INSERT INTO stubborn VALUES (1, 'only@this.example'), (2, 'only@this.example'), (3, 'only@this.example');

CREATE TABLE secret_table (id int PRIMARY KEY, email text);
CREATE TABLE guarded (id int PRIMARY KEY, email text);
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE VIEW account_names AS SELECT first FROM accounts;
CREATE TABLE nothing ();
`;
