//! Guests that may be forgotten, as both databases are asked for them.

/// The condition that a person `p` is a guest who was not seen since the first parameter, has never wagered, and was given nothing but
/// the first chips in the currency of the second. `mark` stands before the numbers of parameters.
pub(super) fn idle_guest(mark: char) -> String {
    // The ranges are written out so that the indices of players' journals are used: the semicolon comes after the colon.
    format!(
        "p.kind = 'guest' AND p.since < {mark}1 \
         AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.who = 'player:' || p.id AND s.seen >= {mark}1) \
         AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.debit = 'player:' || p.id \
             AND j.debit >= 'player:' AND j.debit < 'player;' AND j.purpose <> 'redeem') \
         AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.credit = 'player:' || p.id \
             AND j.credit >= 'player:' AND j.credit < 'player;' \
             AND (j.purpose <> 'issue' OR j.currency <> {mark}2 OR j.command <> 'first-chips:' || p.id))"
    )
}
