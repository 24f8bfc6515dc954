-- No query needs the events of one round.
DROP INDEX events_by_round;
