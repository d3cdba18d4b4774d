-- User-defined types in their own schemas: plain, nested and in arrays.

CREATE SCHEMA enums;
CREATE TYPE enums.mood AS ENUM ('sad', 'it''s "ok", \ {really}', '', 'happy');
ALTER TYPE enums.mood ADD VALUE 'between' BEFORE 'happy';
