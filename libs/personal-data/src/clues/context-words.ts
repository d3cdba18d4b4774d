/** Splits lines into words at commas and spaces. */
export const words = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(/[\s,]+/)).filter((word) => word !== ''));

/** A table or column whose name contains one of these words is about people. */
export const PERSON_WORDS = words([
  'person, persons, people, user, users, customer, customers, client, clients, contact, contacts, employee',
  'employees, staff, worker, workers, member, members, patient, patients, student, students, teacher',
  'teachers, subscriber, subscribers, guest, guests, passenger, passengers, driver, drivers, lead, leads',
  'applicant, applicants, candidate, candidates, donor, donors, tenant, tenants, visitor, visitors',
  'attendee, attendees, participant, participants, owner, owners, borrower, borrowers, buyer, buyers',
  'profile, profiles, account, accounts, recipient, recipients, signup, signups, registration',
  'registrations, physician, physicians, doctor, doctors, nurse, nurses, agent, agents, author, authors',
  'reviewer, manager, managers, admin, admins, operator, operators, holder, cust, custs, emp, empl, usr',
  'usrs, mbr, payroll, payslip, payslips, hr, guardian, parent, child, children, spouse, resident',
  'residents, volunteer, volunteers, actor, actors, beneficiary, supplier, suppliers, vendor, vendors',
  'kunde, kunden, mitarbeiter, mitglied, mitglieder, benutzer, nutzer, personen, personal, patienten',
  'ansprechpartner, kontakt, kontakte, schuler, lehrer, mieter, bewerber, utilisateur, utilisateurs',
  'personne, personnes, salarie, salaries, adherent, adherents, eleve, eleves, abonne, abonnes, usuario',
  'usuarios, cliente, clientes, clienti, empleado, empleados, persona, personas, paciente, pacientes',
  'pazienti, paziente, alumno, alumnos, socio, socios, utente, utenti, dipendente, dipendenti, persone',
  'usuarios, funcionario, funcionarios, pessoa, pessoas, klant, klanten, medewerker, medewerkers, gebruiker',
  'gebruikers, personeel, leden, lid, werknemer, werknemers, patient, klient, klienci, pracownik',
  'pracownicy, uzytkownik, uzytkownicy, osoba, osoby, pacjent, pacjenci, kund, kunder, anstalld, anstallda',
  'medlem, medlemmar, anvandare, personer, partner, partnerin, husband, wife, mother, father, son, daughter',
  'kid, kids, ehegatte, ehegatten, ehefrau, ehemann, mutter, vater, sohn, tochter, conjoint, conjointe, mere',
  'pere, enfant, enfants, fils, fille, hijo, hija, hijos, conyuge, madre, padre, figlio, figlia, coniuge',
  'mae, pai, filho, filha, moeder, vader, zoon, dochter, dziecko, dziecka, matki, ojca, malzonka',
  '顧客, 社員, 用户, 客户',
]);

/**
 * A table or column whose name contains one of these words is about things. The names in its rows are not
 * names of people.
 */
export const THING_WORDS = words([
  'product, products, item, items, sku, skus, article, articles, category, categories, genre, genres, album',
  'albums, track, tracks, song, songs, playlist, playlists, artist, artists, band, bands, media, movie',
  'movies, film, films, book, books, game, games, brand, brands, model, models, make, vehicle, vehicles',
  'car, cars, device, devices, server, servers, host, hosts, node, nodes, country, countries, region',
  'regions, state, states, city, cities, airport, airports, station, stations, currency, currencies',
  'language, languages, color, colors, colour, colours, size, sizes, unit, units, tag, tags, label, labels',
  'topic, topics, role, roles, permission, permissions, group, groups, team, teams, department, departments',
  'division, project, projects, task, tasks, job, jobs, queue, queues, event, events, feature, features',
  'flag, flags, setting, settings, config, configuration, option, options, plan, plans, tier, tiers, status',
  'statuses, type, types, kind, kinds, file, files, filename, folder, directory, path, bucket, migration',
  'migrations, schema, table, column, index, constraint, function, method, class, module, package',
  'component, service, services, endpoint, route, template, templates, theme, page, pages, menu, widget',
  'campaign, campaigns, channel, channels, store, stores, shop, shops, warehouse, warehouses, branch',
  'branches, office, offices, building, buildings, room, rooms, course, courses, school, schools, subject',
  'subjects, ingredient, ingredients, recipe, recipes, dish, dishes, species, breed, plant, drug, drugs',
  'medication, disease, procedure, test, tests, exam, question, questions, survey, surveys, month, months',
  'weekday, season, quarter, holiday, metric, metrics, sensor, sensors, attribute, attributes, property',
  'properties, field, fields, key, keys, domain, domains, website, database, policy, rule, rules, holiday',
  'holidays, territory, territories, shipper, shippers, carrier, carriers, attachment, attachments',
  'changelog, release, releases, version, versions, build, builds, cron, worker, batch, display, produkt',
  'produkte, artikel, kategorie, kategorien, land, lander, stadte, abteilung, abteilungen, produit',
  'produits, categorie, pays, articulo, articulos, articolo, articoli, artigo, artigos, producto, productos, categoria, categorias, pais, prodotto, prodotti, produto',
  'produtos, produkter, kategori, towar, towary, kraj, kategoria, product type, event type, productnaam',
  'bank, banks, hotel, hotels, restaurant, restaurants, venue, venues, variant, variants',
]);

/**
 * After a clue in a column's name, these words mean that the column contains only information about the
 * personal data, as in `email_verified_at` and `phone_type`.
 */
export const ABOUT_WORDS = words([
  'verified, verify, verification, valid, validated, invalid, confirmed, confirmation, at, on, count',
  'counts, counter, id, ids, uuid, guid, type, types, status, state, flag, enabled, disabled, format',
  'template, length, sent, opt, optin, optout, in, out, subscribed, subscription, domain, provider',
  'preference, preferences, notification, notifications, notify, label, required, policy, kind, category',
  'level, expires, expiry, expired, expiration, expire, created, updated, changed, attempts, attempt',
  'failures, strength, limit, quota, rate, score, rank, total, number, version, visible, public, allowed',
  'language, lang, locale, encoding, algorithm, algo, ttl, size, width, height, order, position, index, seq',
  'sequence, source, reason, reminder, reminders, result, bounced, bounces, opened, clicked, method, mode, scheme, timezone, tz',
  'formatted at, class, count, date, time, timestamp, ts, day, month, accepted, disclosed, setting',
  'settings, usage, used, uses, hint, prefix code, priority, weight, price, amount, cost, fee, code, typ',
  'art, anzahl, statut, tipo, estado, aantal, liczba, queue, job, campaign, list, group, batch, engine',
  'server, port, host, protocol, pool, range, mask, netmask, whitelist, blacklist, count',
]);

/** After a clue for a date in a column's name, these words name the value, as in `birth_ts`. */
export const DATE_PARTS = words(['date, time, timestamp, ts, day, month, range']);

/** Before a clue in a column's name, these words mean that the column contains a flag or a number, as in `has_email`. */
export const STATEMENT_WORDS = words([
  'is, has, had, can, may, allow, allows, show, hide, use, uses, send, sends, want, wants, needs, enable',
  'num, no of, nb, count, max, min, avg, sum, total, n, should, must, require, requires, accept, accepts',
  'receive, receives, ist, hat, est, es, tiene, tem, czy, anzahl',
]);

/** After a clue in a column's name, these words do not change its meaning, as in `email_old`. */
export const QUALIFIERS = words([
  'line, full, old, new, home, work, private, business, primary, secondary, main, other, alt, alternate',
  'alternative, kana, encrypted, enc, raw, text, value, normalized, lower, current, previous, prev, former',
  'default, original, emergency, extra, plain, hash, hashed, html, md, en, de, fr, es, it, nl, pt, pl, sv',
  'privat, geschaftlich, dienstlich, perso, pro, fixe, domicile, casa, trabajo, lavoro, trabalho, prive',
  'werk, dom, praca, hem, arbete, envio, facturacion, number, nr, no, nummer, numero, num, numer, intern',
  'internal, interna, interno, interne, extern, external, url, path, a, b, first, last, second, one, two',
  'of, the, von, vom, del, du, nd, st, rd, th, wohnung, notfall',
]);
