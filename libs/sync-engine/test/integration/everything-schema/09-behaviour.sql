-- Triggers, rules, policies and other behaviour of tables. None of it may take effect while rows are loaded.

CREATE SCHEMA triggers;
CREATE TABLE triggers.log (entry text);
CREATE TABLE triggers.watched (id int PRIMARY KEY, v text);
INSERT INTO triggers.watched SELECT i, 'v' || i FROM generate_series(1, 10) i;
CREATE FUNCTION triggers.change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.v := 'changed'; RETURN NEW; END $$;
CREATE FUNCTION triggers.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION triggers.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO triggers.log VALUES (TG_NAME || TG_OP); RETURN NULL; END $$;
CREATE TRIGGER changes BEFORE INSERT OR UPDATE OF v ON triggers.watched FOR EACH ROW WHEN (NEW.id > 0) EXECUTE FUNCTION triggers.change();
CREATE TRIGGER refuses BEFORE INSERT OR DELETE ON triggers.watched FOR EACH ROW EXECUTE FUNCTION triggers.refuse();
CREATE TRIGGER "no""tes" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON triggers.watched FOR EACH STATEMENT EXECUTE FUNCTION triggers.note();
CREATE TRIGGER sees_rows AFTER INSERT ON triggers.watched REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION triggers.note();
CREATE CONSTRAINT TRIGGER later AFTER INSERT ON triggers.watched DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION triggers.note();
CREATE TRIGGER always_on AFTER INSERT ON triggers.watched FOR EACH ROW EXECUTE FUNCTION triggers.note();
CREATE TRIGGER on_replicas AFTER INSERT ON triggers.watched FOR EACH ROW EXECUTE FUNCTION triggers.note();
CREATE TRIGGER switched_off BEFORE INSERT ON triggers.watched FOR EACH ROW EXECUTE FUNCTION triggers.refuse();
ALTER TABLE triggers.watched ENABLE ALWAYS TRIGGER always_on, ENABLE REPLICA TRIGGER on_replicas, DISABLE TRIGGER switched_off;
COMMENT ON TRIGGER changes ON triggers.watched IS 'changes what comes in';
CREATE TABLE triggers.parted (id int, v text) PARTITION BY LIST (id);
CREATE TABLE triggers.parted_1 PARTITION OF triggers.parted FOR VALUES IN (1);
CREATE TABLE triggers.parted_2 PARTITION OF triggers.parted FOR VALUES IN (2);
INSERT INTO triggers.parted VALUES (1, 'a'), (2, 'b');
CREATE TRIGGER on_parent AFTER INSERT ON triggers.parted FOR EACH ROW EXECUTE FUNCTION triggers.note();
CREATE CONSTRAINT TRIGGER later_on_parent AFTER INSERT ON triggers.parted DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION triggers.note();
ALTER TABLE triggers.parted_2 DISABLE TRIGGER later_on_parent;
CREATE TRIGGER on_partition BEFORE INSERT ON triggers.parted_1 FOR EACH ROW EXECUTE FUNCTION triggers.change();

CREATE SCHEMA rules;
CREATE TABLE rules.log (v text);
CREATE TABLE rules.t (id int, v text);
INSERT INTO rules.t SELECT i, 'v' || i FROM generate_series(1, 6) i;
CREATE RULE diverted AS ON INSERT TO rules.t WHERE NEW.id > 3 DO INSTEAD INSERT INTO rules.log VALUES (NEW.v);
CREATE RULE kept AS ON DELETE TO rules.t DO INSTEAD NOTHING;
CREATE RULE noted AS ON UPDATE TO rules.t DO ALSO INSERT INTO rules.log VALUES (OLD.v);
CREATE RULE switched_off AS ON INSERT TO rules.t DO ALSO INSERT INTO rules.log VALUES ('off');
ALTER TABLE rules.t DISABLE RULE switched_off;
COMMENT ON RULE kept ON rules.t IS 'nothing is deleted';

CREATE SCHEMA row_security;
CREATE TABLE row_security.t (id int PRIMARY KEY, tenant text);
CREATE TABLE row_security.forced (id int PRIMARY KEY, tenant text);
INSERT INTO row_security.t VALUES (1, 'a'), (2, 'b');
INSERT INTO row_security.forced VALUES (1, 'a'), (2, 'b');
CREATE POLICY own_rows ON row_security.t FOR SELECT USING (tenant = current_user);
CREATE POLICY "odd ""name""" ON row_security.t AS RESTRICTIVE TO PUBLIC USING (id > 0) WITH CHECK (id > 1);
CREATE POLICY nothing ON row_security.forced USING (false);
ALTER TABLE row_security.t ENABLE ROW LEVEL SECURITY;
ALTER TABLE row_security.forced ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
COMMENT ON POLICY own_rows ON row_security.t IS 'each their own';

CREATE SCHEMA unlogged_tables;
CREATE UNLOGGED TABLE unlogged_tables.t (id serial PRIMARY KEY, v text);
INSERT INTO unlogged_tables.t (v) SELECT 'v' || i FROM generate_series(1, 10) i;

CREATE SCHEMA replica_identities;
CREATE TABLE replica_identities.whole (id int PRIMARY KEY, v text);
CREATE TABLE replica_identities.by_index (id int PRIMARY KEY, v text NOT NULL UNIQUE);
CREATE TABLE replica_identities.clustered (id int PRIMARY KEY, v int);
ALTER TABLE replica_identities.whole REPLICA IDENTITY FULL;
ALTER TABLE replica_identities.by_index REPLICA IDENTITY USING INDEX by_index_v_key;
ALTER TABLE replica_identities.clustered CLUSTER ON clustered_pkey;
INSERT INTO replica_identities.whole VALUES (1, 'a');
INSERT INTO replica_identities.by_index VALUES (1, 'a');
INSERT INTO replica_identities.clustered VALUES (1, 2);
