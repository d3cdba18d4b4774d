-- Types that users make, in schemas of their own, alone, nested and as arrays.

CREATE SCHEMA enums;
CREATE TYPE enums.mood AS ENUM ('sad', 'it''s "ok", \ {really}', '', 'happy');
ALTER TYPE enums.mood ADD VALUE 'between' BEFORE 'happy';
