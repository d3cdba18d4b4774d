import type { Clue } from './words-of-name.js';

/** What people have a right to keep to themselves: special categories of GDPR article 9, and family and pay. */
export const SENSITIVE_CLUES: readonly Clue[] = [
  {
    kind: 'gender',
    strength: 'strong',
    phrases: `gender, sex, gender code, sex code, gender identity, biological sex, geschlecht, geschlechtskennzeichen, sexe, genre sexe, sexo, genero, sesso, genere, geslacht, plec, kon,
      kjonn, sukupuoli, pohlavi, cinsiyet, 性別, 性别`,
  },
  { kind: 'gender', strength: 'weak', phrases: 'm f, mf, male female' },
  {
    kind: 'marital_status',
    strength: 'strong',
    phrases: `marital status, marital status code, maritalstatus, civil status, civil state, relationship status, familienstand, zivilstand, etat civil, situation familiale, situation matrimoniale,
      estado civil, stato civile, burgerlijke staat, burgerlijke stand, stan cywilny, civilstand, sivilstand, siviilisaaty, rodinny stav, medeni hal, 婚姻状況, 婚姻状况`,
  },
  { kind: 'marital_status', strength: 'weak', phrases: 'married' },
  {
    kind: 'income',
    strength: 'strong',
    phrases: `salary, salary amount, base salary, annual salary, monthly salary, salary eur, salary usd, salary gbp, net salary, gross salary, wage, wages, wage amount, hourly wage, hourly rate of pay, gross pay, net pay, base pay, pay rate, pay amount,
      annual income, monthly income, yearly income, household income, family income, income, income amount, income level, personal income, remuneration, bonus payout, bonus amount, gehalt, jahresgehalt, monatsgehalt, bruttogehalt, nettogehalt,
      grundgehalt, lohn, bruttolohn, nettolohn, stundenlohn, einkommen, haushaltseinkommen, jahreseinkommen, monatseinkommen, bezuge, salaire, salaire brut, salaire net, salaire annuel, salaire mensuel, revenu annuel, revenus, revenu fiscal, revenu mensuel,
      salario, salario bruto, salario neto, salario base, sueldo, sueldo bruto, nomina, ingresos, ingreso mensual, ingresos anuales, stipendio, stipendio lordo, stipendio netto, retribuzione, reddito, salario bruto, salario liquido, renda, renda mensal, vencimento base,
      ordenado, salaris, brutosalaris, loon, brutoloon, maandloon, inkomen, jaarinkomen, wynagrodzenie, pensja, placa brutto, dochod, dochody, manadslon, arslon, inkomst, arsinkomst, palkka, plat, maas, 給与, 年収, 月収, 工资, 薪资, 收入`,
  },
  {
    kind: 'income',
    strength: 'weak',
    phrases: 'pay, bonus, compensation, earnings, commission, revenu, ingreso, allowance',
  },
  {
    kind: 'health',
    strength: 'strong',
    phrases: `diagnosis, symptoms, diagnosis code, diagnosis codes, icd, icd code, icd 9, icd 10, icd 10 code, icd 11, blood type, blood group, bloodtype, bloodgroup, disability, disability status, disability type, disability degree, degree of disability,
      medical condition, medical conditions, chronic condition, chronic conditions, chronic disease, health condition, allergy, allergies, food allergies, medication, medications, medication list, current medication, prescription drug, vaccination, vaccination status, vaccine,
      immunization, hiv status, pregnancy status, bmi, body mass index, body weight, blood pressure, heart rate, pulse rate, glucose level, cholesterol, mental health, smoker status, smoking status,
      diagnose, diagnosen, diagnoseschlussel, blutgruppe, behinderung, schwerbehinderung, grad der behinderung, gdb, erkrankung, vorerkrankung, vorerkrankungen, krankheit, allergie, allergien, medikation, medikament, medikamente, impfstatus, blutdruck,
      groupe sanguin, handicap, maladie, maladies, antecedents medicaux, traitement medical, tension arterielle, tipo sangre, tipo de sangre, grupo sanguineo, discapacidad, enfermedad, enfermedades, alergia, alergias, medicamentos, medicacion, presion arterial,
      gruppo sanguigno, disabilita, malattia, malattie, patologia, patologie, allergia, farmaci assunti, tipo sanguineo, deficiencia, doenca, doencas, medicacao, bloedgroep, handicap type, ziekte, aandoening, medicatie, grupa krwi, niepelnosprawnosc, choroba, choroby, uczulenia, leki,
      blodgrupp, funktionsnedsattning, sjukdom, 血液型, 病名, 障害, 血型, 病史`,
  },
  {
    kind: 'health',
    strength: 'weak',
    phrases:
      'condition, conditions, treatment, disease, illness, health, diagnostic, weight, height, therapy, sick leave, pathology, peso, behandlung, tratamiento, traitement',
  },
  {
    kind: 'belief',
    strength: 'strong',
    phrases: `religion, religious affiliation, religious belief, religious denomination, church affiliation, faith community, political party, political affiliation, political opinion, political views, party affiliation, party membership, trade union,
      trade union membership, union membership, union member, konfession, religionszugehorigkeit, religionszugehoerigkeit, religionsgemeinschaft, glaubensrichtung, kirchensteuermerkmal, parteizugehorigkeit, parteimitgliedschaft, gewerkschaft, gewerkschaftszugehorigkeit, appartenance religieuse,
      appartenance politique, appartenance syndicale, religione, appartenenza religiosa, partito politico, sindacato, afiliacion politica, afiliacion sindical, religiao, filiacao partidaria, godsdienst, geloof, geloofsovertuiging, religie, politieke partij, vakbond, vakbondslid,
      wyznanie, religia, przynaleznosc partyjna, zwiazek zawodowy, trossamfund, uskonto, nabozenstvi, 宗教, 宗教信仰, 支持政党`,
  },
  { kind: 'belief', strength: 'weak', phrases: 'faith, denomination, party, union, belief, church' },
  {
    kind: 'origin',
    strength: 'strong',
    phrases: `ethnicity, ethnic origin, ethnic group, ethnic background, ethnicity code, race ethnicity, racial origin, nationality, nationality code, citizenship, citizen of, country of citizenship, tribe, skin color, skin colour, ethnische herkunft, ethnie, nationalitat, nationalitaet,
      staatsangehorigkeit, staatsangehoerigkeit, staatsburgerschaft, staatsbuergerschaft, nationalite, origine ethnique, citoyennete, nacionalidad, ciudadania, etnia, origen etnico, nazionalita, cittadinanza, origine etnica, nacionalidade, cidadania, raca, etnia raca, nationaliteit,
      etniciteit, etnische afkomst, narodowosc, obywatelstwo, nationalitet, medborgarskap, etnicitet, kansalaisuus, statni prislusnost, narodnost, 国籍, 民族, 人種`,
  },
  { kind: 'origin', strength: 'weak', phrases: 'race, ethnic, herkunft, origine, raza' },
  {
    kind: 'orientation',
    strength: 'strong',
    phrases: `sexual orientation, sexual preference, sexuelle orientierung, orientation sexuelle, orientacion sexual, orientamento sessuale, orientacao sexual, seksuele geaardheid, seksuele orientatie, orientacja seksualna, sexuell laggning, 性的指向, 性取向`,
  },
  { kind: 'orientation', strength: 'weak', phrases: 'orientation, sexuality' },
];
