//! SQL about people that is valid in both databases: the condition for idle guests, and patterns of `LIKE`.

/// Returns the condition that a person `p` is an idle guest.
///
/// An idle guest has no account, has not been seen since the time in the first parameter, has never placed a wager, and has
/// received no chips except the first ones, in the currency of the second parameter. `mark` precedes the numbers of parameters.
pub(super) fn idle_guest(mark: char) -> String {
    // The ranges match the partial indexes on players' transfers. The semicolon follows the colon in ASCII.
    format!(
        "p.kind = 'guest' AND p.since < {mark}1 \
         AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.kind = 'account' AND d.id = p.id) \
         AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.who = 'player:' || p.id AND s.seen >= {mark}1) \
         AND NOT EXISTS (SELECT 1 FROM block_accounts b WHERE b.owner = 'player:' || p.id) \
         AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.debit = 'player:' || p.id \
             AND j.debit >= 'player:' AND j.debit < 'player;' AND j.purpose <> 'redeem') \
         AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.credit = 'player:' || p.id \
             AND j.credit >= 'player:' AND j.credit < 'player;' \
             AND (j.purpose <> 'issue' OR j.currency <> {mark}2 OR j.command <> 'first-chips:' || p.id))"
    )
}

/// Returns the pattern of `LIKE` for values that contain a text. `!` escapes the wildcards of the text.
pub(super) fn like_pattern(part: &str) -> String {
    let mut pattern = "%".to_owned();
    for c in part.chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern + "%"
}
