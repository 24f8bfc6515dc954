-- Each index costs another page write for every command. Audits sort instead of using an index, no query needs the
-- events of one round, and only players query the transfers of their account.
DROP INDEX commands_by_table;
DROP INDEX journal_by_table;
DROP INDEX events_by_round;
DROP INDEX journal_by_debit;
DROP INDEX journal_by_credit;
CREATE INDEX journal_from_players ON journal (debit, currency, place) WHERE debit >= 'player:' AND debit < 'player;';
CREATE INDEX journal_to_players ON journal (credit, currency, place) WHERE credit >= 'player:' AND credit < 'player;';
