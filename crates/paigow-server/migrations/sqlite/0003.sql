-- Each index is another page to write for every command. What only an audit asks is sorted then, nothing asks for the events of one
-- round, and only players ask what went through their account.
DROP INDEX commands_by_table;
DROP INDEX journal_by_table;
DROP INDEX events_by_round;
DROP INDEX journal_by_debit;
DROP INDEX journal_by_credit;
CREATE INDEX journal_from_players ON journal (debit, currency, place) WHERE debit >= 'player:' AND debit < 'player;';
CREATE INDEX journal_to_players ON journal (credit, currency, place) WHERE credit >= 'player:' AND credit < 'player;';
